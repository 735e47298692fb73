import { PieChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { pieChart } from './option.ts';

export default defineChart('pie', [PieChart], pieChart);
