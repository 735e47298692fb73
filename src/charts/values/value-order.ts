import { isNumeric, type ColumnType } from '#shared/columns.ts';
import { collator } from '#shared/region/intl.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { findColumn, toNumber, type ResultRows } from './result-values.ts';

/** The column that rows are sorted by, and the direction. */
export type RowOrder = NonNullable<Extract<Visualization, { kind: 'table' }>['sort']>;

/** Returns the rows in this order. Equal rows stay in their order; rows without a value are last in both directions. */
export function orderRows(result: ResultRows, order: RowOrder | undefined): ResultRows['rows'] {
  const column = order && findColumn(result, order.field);
  if (column === undefined) return result.rows;
  const { index, type } = column;
  const sign = order?.direction === 'descending' ? -1 : 1;
  const compare = comparerOf(type);
  return result.rows.toSorted(({ [index]: a }, { [index]: b }) => {
    if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b));
    return sign * compare(a, b);
  });
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

/** Returns a function that compares two values of a type for sorting. */
export function comparerOf(type: ColumnType): (a: unknown, b: unknown) => number {
  return isNumeric(type) ? compareNumbers : createTextComparer();
}

/** Numbers beyond double precision are texts, which are compared by their digits. */
function compareNumbers(a: unknown, b: unknown): number {
  const difference = (toNumber(a) ?? 0) - (toNumber(b) ?? 0);
  if (difference !== 0 || typeof a !== 'string' || typeof b !== 'string') return difference;
  return wholeDigits.test(a) && wholeDigits.test(b) ? Number(BigInt(a) - BigInt(b)) : 0;
}

const wholeDigits = /^-?\d+$/;

/** Dates and times in ISO 8601 sort like text. */
function createTextComparer(): (a: unknown, b: unknown) => number {
  const { compare } = collator({ numeric: true });
  return (a, b) =>
    compare(typeof a === 'string' ? a : JSON.stringify(a), typeof b === 'string' ? b : JSON.stringify(b));
}
