import { CustomChart } from 'echarts/charts';
import { DataZoomSliderComponent } from 'echarts/components';
import { cartesianParts } from '../cartesian/parts.ts';
import { defineChart } from '../drawing/chart.ts';
import { ganttChart } from './option.ts';

export default defineChart('gantt', [CustomChart, ...cartesianParts, DataZoomSliderComponent], ganttChart);
