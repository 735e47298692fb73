import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Fault } from '#contract/problem.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { findColumnFaults } from '#shared/visualizations/fields.ts';
import { area } from './area/kind.ts';
import { bar } from './bar/kind.ts';
import { boxPlot } from './box-plot/kind.ts';
import { calendar } from './calendar/kind.ts';
import { combo } from './combo/kind.ts';
import { funnel } from './funnel/kind.ts';
import { gantt } from './gantt/kind.ts';
import { gauge } from './gauge/kind.ts';
import { heatMap } from './heat-map/kind.ts';
import { histogram } from './histogram/kind.ts';
import type { KindName, OfKind, VisualizationKind } from './kind.ts';
import { line } from './line/kind.ts';
import { map } from './map/kind.ts';
import { number } from './number/kind.ts';
import { pie } from './pie/kind.ts';
import { pivot } from './pivot/kind.ts';
import { sankey } from './sankey/kind.ts';
import { scatter } from './scatter/kind.ts';
import { table } from './table/kind.ts';
import { text } from './text/kind.ts';
import { treemap } from './treemap/kind.ts';
import { waterfall } from './waterfall/kind.ts';

/** Every kind of visualization, in the order in which editors offer them. */
const kinds = {
  table,
  pivot,
  number,
  gauge,
  bar,
  line,
  area,
  combo,
  pie,
  scatter,
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
} satisfies { readonly [Name in KindName]: VisualizationKind<OfKind<Name>> };

// Sound because `kinds` is an object literal with exactly these members.
export const kindNames = Object.keys(kinds) as KindName[];

/** Returns a kind by its name. Its functions only accept visualizations of this kind. */
export const kindOf = <Name extends KindName>(name: Name): VisualizationKind<OfKind<Name>> =>
  // Sound because each kind is listed under its own name.
  kinds[name] as unknown as VisualizationKind<OfKind<Name>>;

/** Returns the reasons why the columns of a result don't fit a visualization. */
export const findFaults = (visualization: Visualization, columns: readonly Column[]): Fault[] =>
  findColumnFaults(visualization, kindOf(visualization.kind).fields, columns);
