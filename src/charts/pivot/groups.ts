import type { Formatter } from '../values/formats.ts';
import type { ResultColumn } from '../values/result-values.ts';
import { comparerOf } from '../values/value-order.ts';

type Row = readonly unknown[];

/** The rows that have the same values in some columns, in groups within groups. */
export interface Group {
  /** The value of the last of the columns; undefined for the group of all rows. */
  readonly value: unknown;
  /** The formatted values of all the columns, from the outermost. */
  readonly path: readonly string[];
  /** Identifies the group. */
  readonly key: string;
  readonly rows: Row[];
  readonly groups: readonly Group[];
}

/** A column to group by, with its format. */
export interface GroupColumn {
  readonly column: ResultColumn;
  readonly format: Formatter;
}

/** Returns the group of all rows, in which the rows are grouped by the columns. Groups are in the order of their values, missing ones last. */
export function groupRows(rows: readonly Row[], columns: readonly GroupColumn[]): Group {
  return groupWithin({ value: undefined, path: [], key: '' }, [...rows], columns);
}

function groupWithin(
  { value, path, key }: Pick<Group, 'value' | 'path' | 'key'>,
  rows: Row[],
  [first, ...others]: readonly GroupColumn[],
): Group {
  if (first === undefined) return { value, path, key, rows, groups: [] };
  const { column, format } = first;
  const byKey = Map.groupBy(rows, (row) => JSON.stringify(row[column.index] ?? null));
  const compare = comparerOf(column.type);
  const groups = [...byKey]
    .map(([json, rows]) => ({ json, rows, value: rows[0]?.[column.index] ?? null }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return compare(a.value, b.value);
    })
    .map(({ json, rows, value }) =>
      groupWithin({ value, path: [...path, format(value)], key: `${key}/${json}` }, rows, others),
    );
  return { value, path, key, rows, groups };
}

/** Returns the innermost groups, in their order. */
export const leavesOf = (group: Group): Group[] =>
  group.groups.length === 0 ? [group] : group.groups.flatMap(leavesOf);
