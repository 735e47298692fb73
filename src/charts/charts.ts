import type { ChartKind } from './drawing/chart.ts';
import type { KindName } from './kind.ts';

type Load = () => Promise<{ readonly default: ChartKind }>;

/** The kinds that ECharts draws. Each is loaded with the parts of ECharts that it uses when it is shown for the first time. */
const loaders: { readonly [Name in KindName]?: Load } = {
  area: () => import('./area/echarts.ts'),
  bar: () => import('./bar/echarts.ts'),
  heatMap: () => import('./heat-map/echarts.ts'),
  histogram: () => import('./histogram/echarts.ts'),
  line: () => import('./line/echarts.ts'),
  pie: () => import('./pie/echarts.ts'),
  scatter: () => import('./scatter/echarts.ts'),
};

export const chartLoaders: ReadonlyMap<KindName, Load> = new Map(
  // Sound because `loaders` is an object literal with members of these names.
  Object.entries(loaders) as [KindName, Load][],
);
