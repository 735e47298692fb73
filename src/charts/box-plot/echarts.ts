import { BoxplotChart, ScatterChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { boxPlotChart } from './option.ts';

export default defineChart('boxPlot', [BoxplotChart, ScatterChart], boxPlotChart);
