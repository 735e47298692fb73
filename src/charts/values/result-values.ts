import type { Column } from '#contract/data-sources/data-sources.ts';
import { isTemporal, type ColumnType } from '#shared/columns.ts';

/** The columns and rows of a result. */
export interface ResultRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A column of a result, with the index of its values in each row. */
export interface ResultColumn extends Column {
  readonly index: number;
}

/** Returns the column of this name, or undefined. */
export function findColumn({ columns }: ResultRows, field: string): ResultColumn | undefined {
  const index = columns.findIndex(({ name }) => name === field);
  const column = columns[index];
  return column && { ...column, index };
}

/** Returns a value as a number; undefined if it isn't one. Digits beyond double precision are lost, which no chart shows. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the smallest and the largest of the numbers; undefined if there are none. */
export function extentOf(
  values: readonly (number | undefined)[],
): { readonly min: number; readonly max: number } | undefined {
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (value === undefined) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min > max ? undefined : { min, max };
}

/**
 * Returns the milliseconds since 1970 of a date, a date with a time, or an instant; undefined for other values. A value
 * without a zone is read as UTC, and formatted as UTC, too.
 */
export function toMilliseconds(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(value);
  const milliseconds = Date.parse(hasZone || !value.includes('T') ? value : `${value}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Returns the milliseconds since midnight of a time of day; undefined for other values. */
function toMillisecondsOfDay(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const milliseconds = Date.parse(`1970-01-01T${value}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Returns the position of a value on an axis of numbers or times; undefined if it has none. */
export function toPosition(value: unknown, type: ColumnType): number | undefined {
  if (isTemporal(type)) return toMilliseconds(value);
  return type === 'time' ? toMillisecondsOfDay(value) : toNumber(value);
}
