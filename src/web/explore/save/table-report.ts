import { isTemporal } from '#shared/columns.ts';
import type { Axis, RangeAxis, Selection } from '#shared/explore/axes.ts';
import type { Filter, Group, QueriedTable, QueryStructure } from '#shared/query-builder/structure.ts';

/** Returns the structure of a report on the selected rows of a table; with a chart, on how many rows each of its bars has. */
export function structureOf(
  table: QueriedTable,
  {
    selections,
    timeZone,
    chart,
  }: {
    readonly selections: readonly Selection[];
    readonly timeZone: string;
    readonly chart?: Axis | undefined;
  },
): QueryStructure {
  const used = new Set([...selections, ...(chart ? [chart] : [])].map(({ column }) => column));
  const columns = chart === undefined ? table.columns : table.columns.filter(({ name }) => used.has(name));
  const filters = selections.map((selection) => filterOf(table, selection));
  return {
    table: { ...table, columns },
    ...(filters.length > 0 && { filters }),
    ...(chart && {
      groups: [groupOf(chart)],
      measures: [{ name: rowsName(chart.column), aggregate: 'count' }],
      sort: sortOf(chart),
    }),
    ...(timeZone !== 'UTC' && { timeZone }),
  };
}

/** The name of the column with the number of rows, which must differ from that of the group. */
export const rowsName = (column: string): string => (column === 'rows' ? 'row_count' : 'rows');

const sortOf = ({ kind, column }: Axis): NonNullable<QueryStructure['sort']> =>
  kind === 'values' ? [{ name: rowsName(column), isDescending: true }] : [{ name: column }];

function filterOf({ columns }: Pick<QueriedTable, 'columns'>, selection: Selection): Filter {
  const column = { name: selection.column };
  const type = columns.find(({ name }) => name === selection.column)?.type ?? 'text';
  if (selection.kind === 'values') {
    const values = selection.values.filter((value) => value !== null);
    const some: Filter = { column, operator: 'is', values };
    if (values.length === selection.values.length) return some;
    // The group of null: unlike `is_empty`, it doesn't contain empty texts.
    const nulls: Filter = { column, operator: 'in_group' };
    return values.length === 0 ? nulls : { any: [[some], [nulls]] };
  }
  const { from, to } = selection;
  if (type === 'integer' && typeof to === 'number') return { column, operator: 'between', from, to: to - 1 };
  if (isTemporal(type) && typeof to === 'string' && isDay(from) && isDay(to))
    return { column, operator: 'between', from: dayOf(from), to: dayBefore(to) };
  return { column, operator: 'between', from, to, isEndExcluded: true };
}

const isDay = (time: string | number): boolean => /^\d{4}-\d\d-\d\d(T00:00:00)?$/.test(String(time));
const dayOf = (time: string | number): string => String(time).slice(0, 10);

function dayBefore(time: string): string {
  const date = new Date(`${dayOf(time)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

function groupOf(axis: Axis): Group {
  const column = { name: axis.column };
  if (axis.kind === 'values') return { column };
  return axis.kind === 'number'
    ? { column, binWidth: binWidthOf(axis) }
    : { column, granularity: granularityOf(axis) };
}

export const binWidthOf = ({ times, per, perBin }: RangeAxis): number => (times * perBin) / per;

/** Returns the unit of the calendar that is closest to the bars of a chart. */
export function granularityOf({ unit, times, perBin }: RangeAxis): Group['granularity'] & string {
  const width = times * perBin;
  if (unit === 'month') return width < 3 ? 'month' : width < 12 ? 'quarter' : 'year';
  if (width < 3_600) return 'minute';
  if (width < 86_400) return 'hour';
  return width < 7 * 86_400 ? 'day' : 'week';
}
