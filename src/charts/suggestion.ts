import type { Column } from '#contract/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import { findFaults } from './kinds.ts';

type Rows = readonly (readonly unknown[])[];

/** The rows that are counted; more would take too long. */
const sampledRows = 5_000;
/** With more series, the legend is longer than the chart. */
const maxSeries = 12;
/** With more bars, each is too thin. */
const maxBars = 60;
/** In characters. Bars with longer labels are horizontal. */
const maxLabelLength = 14;

/**
 * Returns a visualization that suits the columns of a result: a single number as a number, numbers by time as lines, by
 * category as bars, two numbers as points, one as a histogram; anything else as a table.
 * @param groups The columns that the rows are grouped by, which are categories also if they are numbers.
 */
export function suggestVisualization(
  columns: readonly Column[],
  rows: Rows,
  groups: ReadonlySet<string> = new Set(),
): Visualization {
  const roles = rolesOf(columns, rows, groups);
  const { times, measures, categories } = roles;
  const [measure] = measures;
  if (measure === undefined || rows.length === 0) return { kind: 'table' };
  if (rows.length === 1) {
    return columns.length === 1 || measures.length === 1
      ? { kind: 'number', value: measure.name }
      : { kind: 'table' };
  }
  const [time] = times;
  const [category, other] = categories;
  if (time !== undefined && times.length === 1 && categories.length <= 1) {
    const splitBy =
      category !== undefined && category.distinct <= maxSeries && measures.length === 1
        ? { splitBy: category.name }
        : {};
    if (category === undefined || splitBy.splitBy !== undefined) {
      return { kind: 'line', x: time.name, series: seriesOf(measures), ...splitBy };
    }
  }
  if (times.length > 0) return { kind: 'table' };
  if (category !== undefined && other === undefined) return byCategory(category, measures);
  if (category !== undefined && other !== undefined && categories.length === 2 && measures.length === 1) {
    return byTwoCategories(category, other, measure);
  }
  if (categories.length > 0) return { kind: 'table' };
  if (measures.length === 1) return { kind: 'histogram', value: measure.name };
  const [x, y] = measures;
  return measures.length === 2 && x !== undefined && y !== undefined
    ? { kind: 'scatter', x: x.name, y: y.name }
    : { kind: 'table' };
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

interface Role {
  readonly name: string;
  /** The number of distinct values. */
  readonly distinct: number;
  /** The length of the longest value as text. */
  readonly longest: number;
}

const seriesOf = (measures: readonly Role[]) => measures.slice(0, 6).map(({ name }) => ({ field: name }));

function byCategory(category: Role, measures: readonly Role[]): Visualization {
  if (category.distinct > maxBars) return { kind: 'table' };
  const isHorizontal = category.longest > maxLabelLength ? { isHorizontal: true } : {};
  return { kind: 'bar', x: category.name, series: seriesOf(measures), ...isHorizontal };
}

function byTwoCategories(category: Role, other: Role, measure: Role): Visualization {
  const [split, x] = category.distinct <= other.distinct ? [category, other] : [other, category];
  if (split.distinct <= maxSeries && x.distinct <= maxBars) {
    const series = [{ field: measure.name }];
    return { kind: 'bar', x: x.name, series, splitBy: split.name, stacking: 'stacked' };
  }
  return x.distinct <= maxBars
    ? { kind: 'heatMap', x: x.name, y: split.name, value: measure.name }
    : { kind: 'table' };
}

function rolesOf(
  columns: readonly Column[],
  rows: Rows,
  groups: ReadonlySet<string>,
): { times: Role[]; measures: Role[]; categories: Role[] } {
  const times: Role[] = [];
  const measures: Role[] = [];
  const categories: Role[] = [];
  for (const [index, column] of columns.entries()) {
    const values = rows.slice(0, sampledRows).map((row) => row[index]);
    const texts = new Set(values.map(String));
    const longest = Math.max(0, ...[...texts].slice(0, 1_000).map((text) => text.length));
    const role = { name: column.name, distinct: texts.size, longest };
    if (isTemporal(column.type) || isYear(column, values)) times.push(role);
    else if (isNumeric(column.type) && !groups.has(column.name)) measures.push(role);
    else categories.push(role);
  }
  // Without other numbers, a second column of years is a measure.
  if (measures.length === 0 && rows.length > 1) measures.push(...times.splice(1));
  return { times, measures, categories };
}

/** Whether a column of integers has the name and the values of years. */
const isYear = ({ name, type }: Column, values: readonly unknown[]): boolean =>
  type === 'integer' &&
  /(^|_)(year|jahr|yr)s?($|_)/i.test(name) &&
  values.every((value) => value === null || (Number(value) >= 1000 && Number(value) <= 2999));
