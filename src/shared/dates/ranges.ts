import { addDays, dayAt, isDay, startOfUnit, type Calendar, type CalendarUnit, type Day } from './days.ts';

/** A range of days, both included. Without an end, it is open there. */
export interface DayRange {
  readonly from?: Day;
  readonly to?: Day;
}

/** The ranges that people choose from by name. */
export const rangePresets = [
  'today',
  'yesterday',
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
  'this-year',
  'last-year',
  'year-to-date',
  'all-time',
] as const;

/** The last units before the current one and, with `isToNow`, also the current one up to today. */
export interface LastUnits {
  readonly count: number;
  readonly unit: CalendarUnit;
  readonly isToNow: boolean;
}

const lastPattern = /^last-([1-9]\d{0,3})-(day|week|month|quarter|year)s(-to-now)?$/;
const unitPattern = /^(this|last)-(week|month|quarter|year)$/;
const absolutePattern = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/;

/** Reads a range such as `last-30-days` or `last-3-months-to-now`; undefined for any other text. */
export function parseLastUnits(text: string): LastUnits | undefined {
  const [, count, unit, toNow] = lastPattern.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  // Sound because the pattern has no other units.
  return { count: Number(count), unit: unit as CalendarUnit, isToNow: toNow !== undefined };
}

/** Returns the text that `parseLastUnits` reads. */
export const formatLastUnits = ({ count, unit, isToNow }: LastUnits): string =>
  `last-${count}-${unit}s${isToNow ? '-to-now' : ''}`;

/**
 * Returns the days of a range in words or of days, or undefined if the text is neither. The last units end before the current
 * one, as in “the last 30 days”, which end yesterday. A range of days is `2026-11-01..2026-11-30`, without one of its ends if it
 * is open there; a single day is that day. All time is open at both ends.
 */
export function resolveRange(text: string, calendar: Calendar): DayRange | undefined {
  if (text === 'all-time') return {};
  return absoluteRange(text) ?? relativeRange(text, calendar);
}

/** Returns a range that is given by its days, or undefined. */
export function absoluteRange(text: string): DayRange | undefined {
  if (isDay(text)) return { from: text, to: text };
  const [whole, from, to] = absolutePattern.exec(text) ?? [];
  if (whole === undefined || (from === undefined && to === undefined)) return undefined;
  if ((from !== undefined && !isDay(from)) || (to !== undefined && !isDay(to))) return undefined;
  if (from !== undefined && to !== undefined && from > to) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Returns the text of a range of days, which `absoluteRange` reads; empty if both ends are open. */
export function formatRange({ from, to }: DayRange): string {
  if (from === undefined && to === undefined) return '';
  return from === to ? (from ?? '') : `${from ?? ''}..${to ?? ''}`;
}

function relativeRange(text: string, calendar: Calendar): DayRange | undefined {
  const today = dayAt(calendar.now, calendar.timeZone);
  const startOf = (unit: CalendarUnit, count: number) => startOfUnit(today, unit, calendar.weekStart, count);
  if (text === 'today') return { from: today, to: today };
  if (text === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) };
  if (text === 'year-to-date') return { from: startOf('year', 0), to: today };
  const last = parseLastUnits(text);
  if (last !== undefined) {
    const to = last.isToNow ? today : addDays(startOf(last.unit, 0), -1);
    return { from: startOf(last.unit, -last.count), to };
  }
  const [, which, unit] = unitPattern.exec(text) ?? [];
  if (unit === undefined) return undefined;
  const count = which === 'this' ? 0 : -1;
  // Sound because the pattern has no other units.
  const from = startOf(unit as CalendarUnit, count);
  return { from, to: addDays(startOf(unit as CalendarUnit, count + 1), -1) };
}

const daysAgoPattern = /^([1-9]\d{0,3})-days-ago$/;

/** Returns a day that is given as such, as `today`, as `yesterday` or as `7-days-ago`; undefined for any other text. */
export function resolveDay(text: string, calendar: Calendar): Day | undefined {
  if (isDay(text)) return text;
  const today = dayAt(calendar.now, calendar.timeZone);
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  const [, count] = daysAgoPattern.exec(text) ?? [];
  return count === undefined ? undefined : addDays(today, -Number(count));
}
