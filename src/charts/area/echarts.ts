import { cartesianChart } from '../cartesian/option.ts';
import { cartesianParts } from '../cartesian/parts.ts';
import { defineChart } from '../drawing/chart.ts';

export default defineChart('area', cartesianParts, cartesianChart);
