import { ScatterChart } from 'echarts/charts';
import { VisualMapComponent } from 'echarts/components';
import { cartesianParts } from '../cartesian/parts.ts';
import { defineChart } from '../drawing/chart.ts';
import { scatterChart } from './option.ts';

export default defineChart('scatter', [ScatterChart, ...cartesianParts, VisualMapComponent], scatterChart);
