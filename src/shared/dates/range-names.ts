import { t } from '../language/messages.ts';
import type { CalendarUnit } from './days.ts';
import { parseLastUnits, type LastUnits } from './ranges.ts';

/** Returns a relative range in words, such as “Last 30 days”; undefined for any other text. */
export function nameOfRange(text: string): string | undefined {
  const last = parseLastUnits(text);
  if (last === undefined) return Object.hasOwn(names, text) ? names[text]?.() : undefined;
  const { unit, isToNow } = last;
  const units = lastUnits[unit](last);
  return isToNow ? t('{range} and {unit}', { range: units, unit: toDate[unit]() }) : units;
}

const lastUnits: Readonly<Record<CalendarUnit, (last: Pick<LastUnits, 'count'>) => string>> = {
  day: ({ count }) => t('{count, plural, one {Last day} other {Last # days}}', { count }),
  week: ({ count }) => t('{count, plural, one {Last week} other {Last # weeks}}', { count }),
  month: ({ count }) => t('{count, plural, one {Last month} other {Last # months}}', { count }),
  quarter: ({ count }) => t('{count, plural, one {Last quarter} other {Last # quarters}}', { count }),
  year: ({ count }) => t('{count, plural, one {Last year} other {Last # years}}', { count }),
};

const toDate: Readonly<Record<CalendarUnit, () => string>> = {
  day: () => t('today'),
  week: () => t('this week to date'),
  month: () => t('this month to date'),
  quarter: () => t('this quarter to date'),
  year: () => t('this year to date'),
};

const names: Readonly<Record<string, () => string>> = {
  today: () => t('Today'),
  yesterday: () => t('Yesterday'),
  'year-to-date': () => t('Year to date'),
  'all-time': () => t('All time'),
  'this-week': () => t('This week'),
  'last-week': () => t('Last week'),
  'this-month': () => t('This month'),
  'last-month': () => t('Last month'),
  'this-quarter': () => t('This quarter'),
  'last-quarter': () => t('Last quarter'),
  'this-year': () => t('This year'),
  'last-year': () => t('Last year'),
};
