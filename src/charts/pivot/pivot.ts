import { t } from '#shared/language/messages.ts';
import type { OfKind } from '../kind.ts';
import type { Mark } from '../marks/mark.ts';
import { exactSum } from '../values/exact-sum.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import {
  extentOf,
  findColumn,
  toNumber,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import { createStepFormatter } from '../values/time-steps.ts';
import { groupRows, leavesOf, type Group, type GroupColumn } from './groups.ts';

type Value = OfKind<'pivot'>['values'][number];
type Row = readonly unknown[];

/** More columns than this can't be read; the totals still have all rows. */
const maxColumns = 200;

/** A row of a pivot table: of a group, the subtotal of a group that has others, or the total of all. */
export interface PivotLine {
  readonly key: string;
  /** The formatted values of the columns that become rows; a subtotal has fewer than there are columns. */
  readonly path: readonly string[];
  readonly isTotal: boolean;
  readonly group: Group;
}

/** A column of a pivot table: one of the values, for a group of columns or for all of them. */
export interface PivotColumn {
  readonly key: string;
  readonly label: string;
  readonly isTotal: boolean;
  readonly group: Group;
  readonly value: Value;
}

/** What a pivot table shows. Its cells are computed one by one, since most of a large table isn't visible. */
export interface Pivot {
  /** The names of the columns that become rows. */
  readonly heads: readonly string[];
  readonly columns: readonly PivotColumn[];
  readonly lines: readonly PivotLine[];
  /** The total of all rows; undefined if there is none. */
  readonly total: PivotLine | undefined;
  /** Returns the value of a cell: a sum as text, since it is exact. Undefined if it has no numbers. */
  readonly valueOf: (line: PivotLine, column: PivotColumn) => string | number | undefined;
  readonly textOf: (line: PivotLine, column: PivotColumn) => string;
  /** Returns the mark of a cell; undefined if it has no rows. */
  readonly markOf: (line: PivotLine, column: PivotColumn) => Mark | undefined;
  readonly notes: readonly string[];
}

/** Returns a pivot table of a result; undefined if a column is missing. */
export function pivotOf(visualization: OfKind<'pivot'>, result: ResultRows): Pivot | undefined {
  const { values, hasTotals = true, hasSubtotals = true } = visualization;
  const down = groupColumns(visualization.rows, result);
  const across = groupColumns(visualization.columns ?? [], result);
  const measures = values.map((value) => ({
    value,
    column: value.field === undefined ? undefined : findColumn(result, value.field),
  }));
  const isComplete = measures.every(
    ({ value: { field }, column }) => field === undefined || column !== undefined,
  );
  if (down === undefined || across === undefined || !isComplete) return undefined;

  const rowGroups = groupRows(result.rows, down);
  const columnGroups = groupRows(result.rows, across);
  const leaves = result.rows.length === 0 ? [] : leavesOf(columnGroups);
  const shown = leaves.slice(0, maxColumns);
  const writers = new Map(measures.map(({ value, column }) => [value, writerOf(value, column)]));
  const indexes = new Map(measures.map(({ value, column }) => [value, column?.index]));
  const columnOf = (group: Group, isTotal: boolean) =>
    values.map((value, index): PivotColumn => {
      const parts = isTotal ? [t('Total')] : group.path;
      // With one value, its name would be in every column.
      const label = [...parts, ...(values.length > 1 || parts.length === 0 ? [nameOf(value)] : [])].join(
        ' · ',
      );
      return { key: `${group.key} ${index}`, label, isTotal, group, value };
    });
  const columns = [
    ...shown.flatMap((group) => columnOf(group, false)),
    ...(hasTotals && across.length > 0 && leaves.length > 0 ? columnOf(columnGroups, true) : []),
  ];
  // The rows of a cell are those that its line and its column have in common.
  const byLine = new Map<string, ReadonlyMap<string, readonly Row[]>>();
  const leafKeyOf = keyWriter(across);
  const rowsOf = ({ group }: PivotLine, column: PivotColumn): readonly Row[] => {
    if (column.group === columnGroups) return group.rows;
    const byColumn = byLine.get(group.key) ?? Map.groupBy(group.rows, leafKeyOf);
    byLine.set(group.key, byColumn);
    return byColumn.get(column.group.key) ?? [];
  };
  const valueOf = (line: PivotLine, column: PivotColumn): string | number | undefined =>
    aggregate(column.value, indexes.get(column.value), rowsOf(line, column));
  const textOf = (line: PivotLine, column: PivotColumn): string => {
    const value = valueOf(line, column);
    return value === undefined ? '' : (writers.get(column.value)?.(value) ?? '');
  };
  const hidden = leaves.length - shown.length;
  return {
    heads: down.map(({ column }) => column.name),
    columns,
    lines: result.rows.length === 0 ? [] : linesOf(rowGroups, hasSubtotals),
    total:
      hasTotals && result.rows.length > 0
        ? { key: 'total', path: [], isTotal: true, group: rowGroups }
        : undefined,
    valueOf,
    textOf,
    markOf: (line, column) => {
      const rows = rowsOf(line, column);
      if (rows.length === 0) return undefined;
      const fields = [
        ...down.slice(0, line.path.length),
        ...(column.group === columnGroups ? [] : across),
      ].map((one) => one.column.name);
      const name = [...line.path, ...(column.group === columnGroups ? [] : column.group.path)].join(' · ');
      return {
        key: JSON.stringify([line.key, column.key]),
        fields,
        measures: column.value.field === undefined ? [] : [column.value.field],
        rows,
        name: `${name === '' ? t('Total') : name} · ${textOf(line, column)}`,
      };
    },
    notes:
      hidden > 0
        ? [t('Showing the first {maxColumns} of {count} columns.', { maxColumns, count: leaves.length })]
        : [],
  };
}

function groupColumns(fields: readonly string[], result: ResultRows): GroupColumn[] | undefined {
  const columns = fields.map((field) => findColumn(result, field));
  const found = columns.filter((column) => column !== undefined);
  if (found.length < fields.length) return undefined;
  return found.map((column) => {
    const format = createStepFormatter(
      column,
      result.rows.map((row) => row[column.index]),
    );
    return { column, format: (value) => (value === null ? t('None') : format(value)) };
  });
}

/** Returns a function that returns the key of the innermost group that a row is in. */
const keyWriter =
  (columns: readonly GroupColumn[]) =>
  (row: Row): string =>
    columns.map(({ column }) => `/${JSON.stringify(row[column.index] ?? null)}`).join('');

/** Returns a line for each innermost group, and after the others of a group its subtotal. */
function linesOf(group: Group, hasSubtotals: boolean): PivotLine[] {
  const line = { key: group.key, path: group.path, group };
  if (group.groups.length === 0) return [{ ...line, isTotal: false }];
  const within = group.groups.flatMap((one) => linesOf(one, hasSubtotals));
  const isWhole = group.path.length === 0;
  return hasSubtotals && !isWhole ? [...within, { ...line, isTotal: true }] : within;
}

/** Returns the name of a value: its label, or how it is computed. */
const nameOf = ({ label, field, aggregate }: Value): string =>
  label ?? (field === undefined ? t('Count') : aggregateNames[aggregate](field));

const aggregateNames = {
  sum: (field: string) => t('Sum of {field}', { field }),
  count: (field: string) => t('Count of {field}', { field }),
  average: (field: string) => t('Average of {field}', { field }),
  min: (field: string) => t('Min of {field}', { field }),
  max: (field: string) => t('Max of {field}', { field }),
} as const;

/** Returns the value of a cell; undefined if it has no numbers. A sum is exact, as text; subtotals are of the rows, not of rounded cells. */
function aggregate(
  { aggregate, field }: Pick<Value, 'aggregate' | 'field'>,
  index: number | undefined,
  rows: readonly Row[],
): string | number | undefined {
  if (rows.length === 0) return undefined;
  if (index === undefined) return field === undefined ? rows.length : undefined;
  const numbers = rows.map((row) => toNumber(row[index]));
  const count = numbers.reduce<number>((sum, number) => sum + (number === undefined ? 0 : 1), 0);
  if (aggregate === 'count') return count;
  if (count === 0) return undefined;
  if (aggregate === 'min' || aggregate === 'max') return extentOf(numbers)?.[aggregate];
  const sum = exactSum(rows.map((row) => row[index]));
  return aggregate === 'sum' ? sum : Number(sum) / count;
}

function writerOf({ aggregate, format }: Value, column: ResultColumn | undefined): Formatter {
  if (aggregate === 'count') return createFormatter({ type: 'integer' }, format ?? { kind: 'number' });
  if (aggregate === 'average') return createFormatter({ type: 'double' }, format);
  return createFormatter(column ?? { type: 'double' }, format);
}
