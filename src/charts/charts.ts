import type { basicCharts } from './basic-charts.ts';
import type { ChartKind } from './drawing/chart.ts';
import type { KindName } from './kind.ts';

type Load = () => Promise<ChartKind>;

const basic = async (name: keyof typeof basicCharts): Promise<ChartKind> =>
  (await import('./basic-charts.ts')).basicCharts[name];

/** The kinds that ECharts draws. They are loaded, with the parts of ECharts that they use, when one is shown for the first time. */
const loaders: { readonly [Name in KindName]?: Load } = {
  area: () => basic('area'),
  bar: () => basic('bar'),
  boxPlot: async () => (await import('./box-plot/echarts.ts')).default,
  calendar: async () => (await import('./calendar/echarts.ts')).default,
  combo: async () => (await import('./combo/echarts.ts')).default,
  funnel: async () => (await import('./funnel/echarts.ts')).default,
  gantt: async () => (await import('./gantt/echarts.ts')).default,
  gauge: async () => (await import('./gauge/echarts.ts')).default,
  heatMap: () => basic('heatMap'),
  histogram: () => basic('histogram'),
  line: () => basic('line'),
  map: async () => (await import('./map/echarts.ts')).default,
  pie: () => basic('pie'),
  sankey: async () => (await import('./sankey/echarts.ts')).default,
  scatter: () => basic('scatter'),
  treemap: async () => (await import('./treemap/echarts.ts')).default,
  waterfall: async () => (await import('./waterfall/echarts.ts')).default,
};

export const chartLoaders: ReadonlyMap<KindName, Load> = new Map(
  // Sound because `loaders` is an object literal with members of these names.
  Object.entries(loaders) as [KindName, Load][],
);
