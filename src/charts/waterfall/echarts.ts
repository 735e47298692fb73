import { CustomChart } from 'echarts/charts';
import { cartesianParts } from '../cartesian/parts.ts';
import { defineChart } from '../drawing/chart.ts';
import { waterfallChart } from './option.ts';

export default defineChart('waterfall', [CustomChart, ...cartesianParts], waterfallChart);
