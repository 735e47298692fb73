import { Type, type Static } from 'typebox';
import { area, bar, combo, line } from './visualizations/cartesian.ts';
import { boxPlot, calendar, treemap } from './visualizations/distributions.ts';
import { sankey } from './visualizations/flows.ts';
import { gantt } from './visualizations/gantt.ts';
import { heatMap } from './visualizations/heat-map.ts';
import { histogram } from './visualizations/histogram.ts';
import { map } from './visualizations/map.ts';
import { gauge, number } from './visualizations/number.ts';
import { pie } from './visualizations/pie.ts';
import { pivot } from './visualizations/pivot.ts';
import { scatter } from './visualizations/scatter.ts';
import { funnel, waterfall } from './visualizations/steps.ts';
import { table } from './visualizations/table.ts';
import { text } from './visualizations/text.ts';

/** Every kind of visualization. The web application shows each in `src/charts/kinds.ts`. */
export const visualizationKinds = {
  table,
  pivot,
  number,
  gauge,
  bar,
  line,
  area,
  combo,
  scatter,
  pie,
  heatMap,
  histogram,
  boxPlot,
  calendar,
  treemap,
  funnel,
  waterfall,
  sankey,
  gantt,
  map,
  text,
} as const;

type Kinds = typeof visualizationKinds;

/** How a report shows its result; `kind` decides which settings it has. */
export type Visualization = Static<Kinds[keyof Kinds]['schema']>;
export const Visualization = Type.Unsafe<Visualization>({
  anyOf: Object.values(visualizationKinds).map(({ schema }) => schema),
});
