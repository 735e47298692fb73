import { HeatmapChart } from 'echarts/charts';
import { VisualMapComponent } from 'echarts/components';
import { defineChart } from '../drawing/chart.ts';
import { heatMapChart } from './option.ts';

export default defineChart('heatMap', [HeatmapChart, VisualMapComponent], heatMapChart);
