import { t } from '#shared/language/messages.ts';
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
  { label: t('Today'), period: current('day') },
  { label: t('Yesterday'), period: last(1, 'day') },
  { label: t('Last 7 days'), period: last(7, 'day') },
  { label: t('Last 30 days'), period: last(30, 'day') },
  { label: t('This week'), period: current('week') },
  { label: t('Last week'), period: last(1, 'week') },
  { label: t('This month'), period: current('month') },
  { label: t('Last month'), period: last(1, 'month') },
  { label: t('Last 3 months'), period: last(3, 'month') },
  { label: t('Last 12 months'), period: last(12, 'month') },
  { label: t('This quarter'), period: current('quarter') },
  { label: t('Last quarter'), period: last(1, 'quarter') },
  { label: t('This year'), period: current('year') },
  { label: t('Last year'), period: last(1, 'year') },
];

const isSamePeriod = (one: Period, other: Period): boolean =>
  one.direction === other.direction &&
  one.count === other.count &&
  one.unit === other.unit &&
  (one.direction === 'this' || (one.includesCurrent ?? false) === (other.includesCurrent ?? false));

/** Returns the name of a range if it is among `periods`. */
export const nameOfPeriod = (period: Period): string | undefined =>
  periods.find((one) => isSamePeriod(one.period, period))?.label;

const currentUnits: Readonly<Record<RangeUnit, string>> = {
  minute: t('this minute'),
  hour: t('this hour'),
  day: t('today'),
  week: t('this week'),
  month: t('this month'),
  quarter: t('this quarter'),
  year: t('this year'),
};

/** Returns what the current unit is called: `today`, `this week`. */
export const currentUnit = (unit: RangeUnit): string => currentUnits[unit];

const lastUnits: Readonly<Record<RangeUnit, (count: number) => string>> = {
  minute: (count) => t('{count, plural, one {last minute} other {in the last # minutes}}', { count }),
  hour: (count) => t('{count, plural, one {last hour} other {in the last # hours}}', { count }),
  day: (count) => t('{count, plural, one {yesterday} other {in the last # days}}', { count }),
  week: (count) => t('{count, plural, one {last week} other {in the last # weeks}}', { count }),
  month: (count) => t('{count, plural, one {last month} other {in the last # months}}', { count }),
  quarter: (count) => t('{count, plural, one {last quarter} other {in the last # quarters}}', { count }),
  year: (count) => t('{count, plural, one {last year} other {in the last # years}}', { count }),
};

const nextUnits: Readonly<Record<RangeUnit, (count: number) => string>> = {
  minute: (count) => t('{count, plural, one {next minute} other {in the next # minutes}}', { count }),
  hour: (count) => t('{count, plural, one {next hour} other {in the next # hours}}', { count }),
  day: (count) => t('{count, plural, one {next day} other {in the next # days}}', { count }),
  week: (count) => t('{count, plural, one {next week} other {in the next # weeks}}', { count }),
  month: (count) => t('{count, plural, one {next month} other {in the next # months}}', { count }),
  quarter: (count) => t('{count, plural, one {next quarter} other {in the next # quarters}}', { count }),
  year: (count) => t('{count, plural, one {next year} other {in the next # years}}', { count }),
};

/** Returns when a range is, in words: `last week`, `in the last 90 days`, `in the next 2 weeks or this week`. */
export function periodInWords(period: Period): string {
  const { direction, count, unit, includesCurrent = false } = period;
  if (direction === 'this') return currentUnit(unit);
  const range = (direction === 'last' ? lastUnits : nextUnits)[unit](count);
  return includesCurrent ? t('{range} or {unit}', { range, unit: currentUnit(unit) }) : range;
}
