import type { Column } from '#contract/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';

export type VisualizationKind = Visualization['kind'];

/** The kinds in the order that they are offered in. */
export const kindLabels = {
  table: 'Table',
  number: 'Number',
  bar: 'Bars',
  line: 'Lines',
  area: 'Areas',
  pie: 'Pie',
  scatter: 'Points',
  heatMap: 'Heat map',
  histogram: 'Histogram',
  text: 'Text',
} as const satisfies Readonly<Record<VisualizationKind, string>>;

/** What a drawing asks of a column. */
export type Need = 'any' | 'measure' | 'position';

/** Whether a column can be drawn in a place. */
export const fitsNeed = ({ type }: Pick<Column, 'type'>, need: Need): boolean =>
  need === 'any' || isNumeric(type) || (need === 'position' && (isTemporal(type) || type === 'time'));

interface Roles {
  /** What it goes along. */
  readonly along: string | undefined;
  readonly measures: readonly string[];
  readonly split: string | undefined;
}

function rolesOf(visualization: Visualization): Roles {
  switch (visualization.kind) {
    case 'bar':
    case 'line':
    case 'area':
      return {
        along: visualization.x,
        measures: visualization.series.map(({ field }) => field),
        split: visualization.splitBy,
      };
    case 'scatter':
      return { along: visualization.x, measures: [visualization.y], split: visualization.color };
    case 'pie':
      return { along: visualization.category, measures: [visualization.value], split: undefined };
    case 'heatMap':
      return { along: visualization.x, measures: [visualization.value], split: visualization.y };
    case 'number':
    case 'histogram':
      return { along: undefined, measures: [visualization.value], split: undefined };
    case 'table':
    case 'text':
      return { along: undefined, measures: [], split: undefined };
  }
}

/**
 * Returns a drawing of another kind with what both have in common; where that is nothing, with the first columns that fit.
 * Undefined when no column fits what the kind is drawn from.
 */
export function toKind(
  before: Visualization,
  kind: VisualizationKind,
  columns: readonly Column[],
): Visualization | undefined {
  if (before.kind === kind) return before;
  const title = before.title === undefined ? {} : { title: before.title };
  const roles = rolesOf(before);
  const names = (need: Need) => columns.filter((column) => fitsNeed(column, need)).map(({ name }) => name);
  const measures = (() => {
    const kept = roles.measures.filter((name) => names('measure').includes(name));
    return kept.length > 0
      ? kept
      : names('measure')
          .filter((name) => name !== roles.along)
          .slice(0, 1);
  })();
  const [measure] = measures;
  const along =
    [
      roles.along,
      ...columns.filter(({ type }) => !isNumeric(type)).map(({ name }) => name),
      ...names('any'),
    ].find((name) => name !== undefined && names('any').includes(name) && name !== measure) ??
    names('any')[0];
  switch (kind) {
    case 'table':
      return { kind, ...title };
    case 'text':
      return { kind, ...title, text: measure === undefined ? '' : `{{${measure}}}` };
    case 'number':
    case 'histogram':
      return measure === undefined ? undefined : { kind, ...title, value: measure };
    case 'bar':
    case 'line':
    case 'area':
      if (measure === undefined || along === undefined) return undefined;
      return {
        ...(before.kind === 'bar' || before.kind === 'line' || before.kind === 'area' ? shared(before) : {}),
        kind,
        ...title,
        x: along,
        series: seriesFor(before, measures),
        ...(roles.split !== undefined && { splitBy: roles.split }),
      };
    case 'pie':
      return measure === undefined || along === undefined
        ? undefined
        : { kind, ...title, category: along, value: measure };
    case 'scatter': {
      const x = [roles.along, ...names('position')].find(
        (name) => name !== undefined && names('position').includes(name) && name !== measure,
      );
      return x === undefined || measure === undefined ? undefined : { kind, ...title, x, y: measure };
    }
    case 'heatMap': {
      const y = [roles.split, ...names('any')].find(
        (name) => name !== undefined && name !== along && name !== measure,
      );
      return measure === undefined || along === undefined || y === undefined
        ? undefined
        : { kind, ...title, x: along, y, value: measure };
    }
  }
}

export type Cartesian = Extract<Visualization, { kind: 'bar' | 'line' | 'area' }>;

/** What bars, lines and areas have in common. */
function shared({ stacking, xAxis, yAxis, rightAxis, sort, thresholds, hasLegend }: Cartesian) {
  return {
    ...(stacking && { stacking }),
    ...(xAxis && { xAxis }),
    ...(yAxis && { yAxis }),
    ...(rightAxis && { rightAxis }),
    ...(sort && { sort }),
    ...(thresholds && { thresholds }),
    ...(hasLegend !== undefined && { hasLegend }),
  };
}

/** The series as they were, where they were. */
const seriesFor = (before: Visualization, measures: readonly string[]): Cartesian['series'] =>
  before.kind === 'bar' || before.kind === 'line' || before.kind === 'area'
    ? before.series.filter(({ field }) => measures.includes(field))
    : measures.map((field) => ({ field }));
