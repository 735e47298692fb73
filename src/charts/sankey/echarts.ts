import { SankeyChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { sankeyChart } from './option.ts';

export default defineChart('sankey', [SankeyChart], sankeyChart);
