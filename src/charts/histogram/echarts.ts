import { BarChart } from 'echarts/charts';
import { cartesianParts } from '../cartesian/parts.ts';
import { defineChart } from '../drawing/chart.ts';
import { histogramChart } from './option.ts';

export default defineChart('histogram', [BarChart, ...cartesianParts], histogramChart);
