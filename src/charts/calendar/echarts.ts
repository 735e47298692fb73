import { HeatmapChart } from 'echarts/charts';
import { CalendarComponent, VisualMapComponent } from 'echarts/components';
import { defineChart } from '../drawing/chart.ts';
import { calendarChart } from './option.ts';

export default defineChart('calendar', [HeatmapChart, CalendarComponent, VisualMapComponent], calendarChart);
