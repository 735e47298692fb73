import area from './area/echarts.ts';
import bar from './bar/echarts.ts';
import heatMap from './heat-map/echarts.ts';
import histogram from './histogram/echarts.ts';
import line from './line/echarts.ts';
import pie from './pie/echarts.ts';
import scatter from './scatter/echarts.ts';

/** The kinds that most dashboards have. They share so much code that they are smaller together than one by one. */
export const basicCharts = { area, bar, heatMap, histogram, line, pie, scatter };
