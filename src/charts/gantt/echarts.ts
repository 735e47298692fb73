import { CustomChart } from 'echarts/charts';
import { DataZoomSliderComponent } from 'echarts/components';
import { defineChart } from '../drawing/chart.ts';
import { ganttChart } from './option.ts';

export default defineChart('gantt', [CustomChart, DataZoomSliderComponent], ganttChart);
