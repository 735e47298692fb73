import type { Condition, RangeUnit } from '#shared/query-builder/structure.ts';

export type Period = Extract<Condition, { operator: 'relative' }>;

/** A range of time that is counted from now. */
const last = (count: number, unit: RangeUnit): Period => ({
  operator: 'relative',
  direction: 'last',
  count,
  unit,
});
const current = (unit: RangeUnit): Period => ({
  operator: 'relative',
  direction: 'this',
  count: 1,
  unit,
  includesCurrent: true,
});

/** The ranges that people choose most, with their names. */
export const periods: readonly { readonly label: string; readonly period: Period }[] = [
  { label: 'Today', period: current('day') },
  { label: 'Yesterday', period: last(1, 'day') },
  { label: 'Last 7 days', period: last(7, 'day') },
  { label: 'Last 30 days', period: last(30, 'day') },
  { label: 'This week', period: current('week') },
  { label: 'Last week', period: last(1, 'week') },
  { label: 'This month', period: current('month') },
  { label: 'Last month', period: last(1, 'month') },
  { label: 'Last 3 months', period: last(3, 'month') },
  { label: 'Last 12 months', period: last(12, 'month') },
  { label: 'This quarter', period: current('quarter') },
  { label: 'Last quarter', period: last(1, 'quarter') },
  { label: 'This year', period: current('year') },
  { label: 'Last year', period: last(1, 'year') },
];

const isSamePeriod = (one: Period, other: Period): boolean =>
  one.direction === other.direction &&
  one.count === other.count &&
  one.unit === other.unit &&
  (one.direction === 'this' || (one.includesCurrent ?? false) === (other.includesCurrent ?? false));

/** Returns the name of a range if it is among `periods`. */
export const nameOfPeriod = (period: Period): string | undefined =>
  periods.find((one) => isSamePeriod(one.period, period))?.label;

/** Returns what the current unit is called: `today`, `this week`. */
export const currentUnit = (unit: RangeUnit): string => (unit === 'day' ? 'today' : `this ${unit}`);

/** Returns when a range is, in words: `last week`, `in the last 90 days`, `in the next 2 weeks or this week`. */
export function periodInWords(period: Period): string {
  const { direction, count, unit, includesCurrent = false } = period;
  if (direction === 'this') return currentUnit(unit);
  const one = direction === 'last' && unit === 'day' ? 'yesterday' : `${direction} ${unit}`;
  const range = count === 1 ? one : `in the ${direction} ${count} ${unit}s`;
  return includesCurrent ? `${range} or ${currentUnit(unit)}` : range;
}
