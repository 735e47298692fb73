import { GaugeChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { gaugeChart } from './option.ts';

export default defineChart('gauge', [GaugeChart], gaugeChart);
