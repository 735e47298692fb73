import { BoxplotChart, ScatterChart } from 'echarts/charts';
import { cartesianParts } from '../cartesian/parts.ts';
import { defineChart } from '../drawing/chart.ts';
import { boxPlotChart } from './option.ts';

export default defineChart('boxPlot', [BoxplotChart, ScatterChart, ...cartesianParts], boxPlotChart);
