import { CustomChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { waterfallChart } from './option.ts';

export default defineChart('waterfall', [CustomChart], waterfallChart);
