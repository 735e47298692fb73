import { dayMs } from '#shared/dates/days.ts';
import type { ColumnType } from '#shared/columns.ts';
import type { Granularity } from '#shared/query-builder/structure.ts';

/** Returns a unit that divides a range of time into some 5 to 50 groups; months if the range is unknown. */
export function defaultGranularity(lowest: unknown, highest: unknown, type: ColumnType): Granularity {
  const days = (Date.parse(String(highest)) - Date.parse(String(lowest))) / dayMs;
  if (Number.isNaN(days)) return 'month';
  // Dates have no hours.
  if (days <= 2 && type !== 'date') return 'hour';
  if (days <= 45) return 'day';
  return days <= 365 * 8 ? 'month' : 'year';
}

/** Integers with at most this many possible values are each a group. */
const maxDistinctIntegers = 24;

/** Returns a round width that divides a range of numbers into about ten groups; undefined if each value is a group. */
export function defaultBinWidth(lowest: unknown, highest: unknown, type: ColumnType): number | undefined {
  const range = Number(highest) - Number(lowest);
  if (lowest === null || lowest === undefined || !Number.isFinite(range) || range <= 0) return undefined;
  if (type === 'integer' && range < maxDistinctIntegers) return undefined;
  const exponent = Math.floor(Math.log10(range / 10));
  const power = 10 ** exponent;
  const factor = [1, 2, 5, 10].find((one) => one * power * 12 >= range) ?? 10;
  // Negative powers of ten are not exact: 3 * 0.1 is 0.30000000000000004.
  return Number((factor * power).toPrecision(3));
}
