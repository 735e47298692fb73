import { BarChart, LineChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { cartesianChart } from '../cartesian/option.ts';
import { defineChart } from '../drawing/chart.ts';

export default defineChart('combo', [BarChart, LineChart, MarkLineComponent], cartesianChart);
