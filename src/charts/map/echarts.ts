import { MapChart, ScatterChart } from 'echarts/charts';
import { GeoComponent, VisualMapComponent } from 'echarts/components';
import { defineChart } from '../drawing/chart.ts';
import { mapChart } from './option.ts';

export default defineChart('map', [MapChart, ScatterChart, GeoComponent, VisualMapComponent], mapChart);
