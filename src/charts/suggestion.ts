import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { findFaults } from './kinds.ts';
import { isProse, rolesOf, type Role, type Roles, type Rows } from './suggestions/roles.ts';
import { suggestByName } from './suggestions/special.ts';

/** With more series, the legend is longer than the chart. */
const maxSeries = 12;
/** More measures than this are read in a table. */
const maxMeasures = 6;
/** With more bars, each is too thin. */
const maxBars = 60;
/** In characters. Bars with longer labels are horizontal. */
const maxLabelLength = 14;
/** From this many bars on, they are sorted by their values. */
const minSorted = 7;
/** Measures whose largest values differ by this factor have an axis each. */
const minRatio = 20;
/** Categories with this many rows each have boxes. */
const minRowsPerBox = 5;

/**
 * Returns a visualization that suits the columns of a result, by their types, values and names. The rules are in docs/charts.md.
 * @param groups The columns that the rows are grouped by, which are categories also if they are numbers.
 */
export function suggestVisualization(
  columns: readonly Column[],
  rows: Rows,
  groups: ReadonlySet<string> = new Set(),
): Visualization {
  const roles = rolesOf(columns, rows, groups);
  const { measures, categories } = roles;
  if (measures.length === 0 && suggestByName(roles)?.kind !== 'gantt') return { kind: 'table' };
  if (rows.length === 0 || measures.length > maxMeasures || categories.some(isProse))
    return { kind: 'table' };
  const special = suggestByName(roles);
  if (special !== undefined) return special;
  if (rows.length === 1) return ofOneRow(roles);
  return roles.times.some(isVarying) ? overTime(roles) : withoutTime(roles);
}

/** Returns a visualization that suits the result better than a table, or than one whose columns are missing; else undefined. */
export function suggestionFor(
  visualization: Visualization,
  { columns, rows }: { readonly columns: readonly Column[]; readonly rows: Rows },
): Visualization | undefined {
  const isImprovable = visualization.kind === 'table' || findFaults(visualization, columns).length > 0;
  const suggestion = suggestVisualization(columns, rows);
  return isImprovable && suggestion.kind !== visualization.kind ? suggestion : undefined;
}

const isVarying = ({ texts }: Role): boolean => texts.length > 1;

const formatOf = ({ isShare }: Role) => (isShare ? { format: { kind: 'percent' as const } } : {});
const seriesOf = (measures: readonly Role[]) =>
  measures.map((measure) => ({ field: measure.name, ...formatOf(measure) }));

function ofOneRow({ measures }: Roles): Visualization {
  const [measure] = measures;
  return measure !== undefined && measures.length === 1
    ? { kind: 'number', value: measure.name, ...formatOf(measure) }
    : { kind: 'table' };
}

function overTime({ times, measures, categories }: Roles): Visualization {
  const [time] = times;
  const [measure] = measures;
  const [category] = categories;
  if (time === undefined || measure === undefined || times.length > 1 || categories.length > 1)
    return { kind: 'table' };
  if (category === undefined) return combined(time.name, measures) ?? line(time, measures);
  if (measures.length > 1) return { kind: 'table' };
  if (category.texts.length <= maxSeries)
    return { ...line(time, measures), splitBy: category.name } satisfies Visualization;
  return category.texts.length <= maxBars && time.texts.length >= 3
    ? { kind: 'heatMap', x: time.name, y: category.name, value: measure.name }
    : { kind: 'table' };
}

const line = (time: Role, measures: readonly Role[]) =>
  ({ kind: 'line', x: time.name, series: seriesOf(measures) }) satisfies Visualization;

/** Returns bars and a line with an axis each, for two measures that no axis fits; else undefined. */
function combined(x: string, measures: readonly Role[]): Visualization | undefined {
  const [first, second] = measures;
  if (first === undefined || second === undefined || measures.length !== 2) return undefined;
  const [a, b] = [first, second].map(({ numbers }) =>
    numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0),
  );
  const ratio = Math.max(a ?? 0, b ?? 0) / Math.min(a ?? 0, b ?? 0);
  if (!Number.isFinite(ratio) || (ratio < minRatio && first.isShare === second.isShare)) return undefined;
  const [bars, lines] =
    second.isShare || (!first.isShare && (b ?? 0) <= (a ?? 0)) ? [first, second] : [second, first];
  return {
    kind: 'combo',
    x,
    series: [...seriesOf([bars]), { field: lines.name, axis: 'right', shape: 'line', ...formatOf(lines) }],
  };
}

function withoutTime(roles: Roles): Visualization {
  const { measures, categories } = roles;
  const [measure, second, third] = measures;
  const [category, other] = categories;
  if (measure === undefined || categories.length > 2) return { kind: 'table' };
  if (category !== undefined && other !== undefined)
    return measures.length === 1
      ? byTwoCategories(category, other, measure, roles.rowCount)
      : { kind: 'table' };
  if (category !== undefined) return byCategory(category, roles);
  if (second === undefined) return { kind: 'histogram', value: measure.name };
  if (measures.length > 3) return { kind: 'table' };
  return {
    kind: 'scatter',
    x: measure.name,
    y: second.name,
    ...(third !== undefined && { size: third.name }),
  };
}

function byCategory(category: Role, { measures, rowCount }: Roles): Visualization {
  const [measure, second] = measures;
  const distinct = category.texts.length;
  const isUngrouped = rowCount >= distinct * minRowsPerBox;
  if (measure !== undefined && second !== undefined && measures.length === 2) {
    const points = { kind: 'scatter', x: measure.name, y: second.name } as const;
    if (isUngrouped && distinct <= maxSeries) return { ...points, color: category.name };
    if (distinct > maxBars) return { ...points, label: category.name };
  }
  if (measure === undefined || distinct > maxBars) return { kind: 'table' };
  if (isUngrouped && measures.length === 1)
    return { kind: 'boxPlot', category: category.name, value: measure.name };
  return combined(category.name, measures) ?? bars(category, measures, measure);
}

function bars(category: Role, measures: readonly Role[], measure: Role): Visualization {
  const distinct = category.texts.length;
  const isRanked = !category.isOrdinal && distinct >= minSorted && measures.length === 1;
  const isHorizontal = category.longest > maxLabelLength || (!category.isOrdinal && distinct > 12);
  return {
    kind: 'bar',
    x: category.name,
    series: seriesOf(measures),
    ...(isHorizontal && { isHorizontal }),
    ...(isRanked && { sort: { field: measure.name, direction: 'descending' as const } }),
  };
}

function byTwoCategories(category: Role, other: Role, measure: Role, rowCount: number): Visualization {
  const [split, x] = category.texts.length <= other.texts.length ? [category, other] : [other, category];
  // Several rows of the same pair would hide each other.
  if (rowCount > split.texts.length * x.texts.length || x.texts.length > maxBars) return { kind: 'table' };
  const isStackable = !measure.isShare && measure.numbers.every((number) => number >= 0);
  if (split.texts.length <= maxSeries) {
    const series = seriesOf([measure]);
    return {
      kind: 'bar',
      x: x.name,
      series,
      splitBy: split.name,
      ...(isStackable && { stacking: 'stacked' as const }),
    };
  }
  return { kind: 'heatMap', x: x.name, y: split.name, value: measure.name };
}
