import { FunnelChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { funnelChart } from './option.ts';

export default defineChart('funnel', [FunnelChart], funnelChart);
