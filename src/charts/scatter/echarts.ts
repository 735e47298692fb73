import { LineChart, ScatterChart } from 'echarts/charts';
import { VisualMapComponent } from 'echarts/components';
import { defineChart } from '../drawing/chart.ts';
import { scatterChart } from './option.ts';

export default defineChart('scatter', [ScatterChart, LineChart, VisualMapComponent], scatterChart);
