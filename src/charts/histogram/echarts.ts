import { BarChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { histogramChart } from './option.ts';

export default defineChart('histogram', [BarChart], histogramChart);
