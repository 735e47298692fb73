import type { Granularity, RangeUnit, WeekStart } from '../../../src/shared/query-builder/structure.ts';

/*
 * Dates are texts such as 2026-01-31, datetimes such as 2026-01-31T12:00:00, and instants such as 2026-01-31T12:00:00Z, so
 * that the order of texts is that of times.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns what clocks in a time zone show at an instant. */
export function localOf(instant: string, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return format.format(new Date(instant)).replace(' ', 'T');
}

const utc = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const datetimeOf = (date: Date): string => date.toISOString().slice(0, 19);

/** Monday is 1. */
export const weekdayOf = (text: string): number => utc(text).getUTCDay() || 7;

/** Returns the group of a date or datetime. */
export function groupOf(text: string, granularity: Granularity, weekStart: WeekStart): string | number {
  const date = utc(text);
  switch (granularity) {
    case 'minute':
      return `${text.slice(0, 16)}:00`;
    case 'hour':
      return `${text.slice(0, 13)}:00:00`;
    case 'day':
      return text.slice(0, 10);
    case 'week': {
      const first = { monday: 1, sunday: 7, saturday: 6 }[weekStart];
      date.setUTCDate(date.getUTCDate() - ((weekdayOf(text) - first + 7) % 7));
      return dayOf(date);
    }
    case 'month':
      return `${text.slice(0, 7)}-01`;
    case 'quarter':
      return `${text.slice(0, 4)}-${String(Math.floor(date.getUTCMonth() / 3) * 3 + 1).padStart(2, '0')}-01`;
    case 'year':
      return `${text.slice(0, 4)}-01-01`;
    case 'hour_of_day':
      return date.getUTCHours();
    case 'day_of_week':
      return weekdayOf(text);
    case 'month_of_year':
      return date.getUTCMonth() + 1;
  }
}

/** Returns a date or datetime moved by a number of units. A day that a month lacks becomes its last one. */
export function moved(text: string, count: number, unit: RangeUnit): string {
  const date = utc(text);
  const isDate = text.length === 10;
  switch (unit) {
    case 'minute':
      date.setUTCMinutes(date.getUTCMinutes() + count);
      return datetimeOf(date);
    case 'hour':
      date.setUTCHours(date.getUTCHours() + count);
      return datetimeOf(date);
    case 'day':
    case 'week':
      date.setUTCDate(date.getUTCDate() + count * (unit === 'week' ? 7 : 1));
      break;
    case 'month':
    case 'quarter':
    case 'year': {
      const months = count * { month: 1, quarter: 3, year: 12 }[unit];
      const day = date.getUTCDate();
      date.setUTCDate(1);
      date.setUTCMonth(date.getUTCMonth() + months);
      const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
      date.setUTCDate(Math.min(day, last));
    }
  }
  return isDate ? dayOf(date) : datetimeOf(date);
}
