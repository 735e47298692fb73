import { TreemapChart } from 'echarts/charts';
import { defineChart } from '../drawing/chart.ts';
import { treemapChart } from './option.ts';

export default defineChart('treemap', [TreemapChart], treemapChart);
