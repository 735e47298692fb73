import { BarChart } from 'echarts/charts';
import { defineChart } from '../echarts/chart.ts';
import { histogramChart } from './option.ts';

export default defineChart('histogram', [BarChart], histogramChart);
