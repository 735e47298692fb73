import type { WeekStart } from '../query-builder/structure.ts';

/** A calendar day, such as `2026-11-21`. Such texts sort in the order of the days. */
export type Day = string;

/** Where and when it is, and which day a week starts with: what relative dates depend on. */
export interface Calendar {
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  readonly timeZone: string;
  readonly weekStart: WeekStart;
}

export const calendarUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

export const dayMs = 86_400_000;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists, from the year 1 to 9999. */
export const isDay = (text: string): boolean =>
  dayPattern.test(text) && text >= firstDay && dayOfTime(Date.parse(`${text}T00:00:00Z`)) === text;

const firstDay = '0001-01-01';
const lastDay = '9999-12-31';

/** Returns the day on calendars in a time zone at a time. */
export function dayAt(time: number, timeZone: string): Day {
  const { year, month, day } = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return `${(year ?? '').padStart(4, '0')}-${month}-${day}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes much longer than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en', {
      ...parts,
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns the first millisecond of a day in a time zone, even if its clocks skip midnight. */
export function startOfDay(day: Day, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Clocks are at most 14 hours ahead of UTC, or 12 behind it.
  let [before, after] = [midnight - 16 * 3_600_000, midnight + 16 * 3_600_000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayAt(middle, timeZone) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns the day `count` days later, or earlier if it is negative; never outside of the years 1 to 9999. */
export const addDays = (day: Day, count: number): Day =>
  withinYears(Date.parse(`${day}T00:00:00Z`) + count * dayMs);

/** Returns the first day of the unit that a day is in, moved by `count` units. */
export function startOfUnit(day: Day, unit: CalendarUnit, weekStart: WeekStart, count = 0): Day {
  const [year = 0, month = 1] = day.split('-').map(Number);
  switch (unit) {
    case 'day':
      return addDays(day, count);
    case 'week': {
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
      return addDays(day, count * 7 - ((weekday - weekdayOf[weekStart] + 7) % 7));
    }
    case 'month':
      return firstOfMonth(year, month - 1 + count);
    case 'quarter':
      return firstOfMonth(year, Math.floor((month - 1) / 3) * 3 + count * 3);
    case 'year':
      return firstOfMonth(year + count, 0);
  }
}

/** The weekday with which weeks start, as `Date.getUTCDay` counts them. */
export const weekdayOf: Readonly<Record<WeekStart, number>> = { sunday: 0, monday: 1, saturday: 6 };

/** `Date.UTC` reads the years 0 to 99 as those of the 20th century. */
function firstOfMonth(year: number, month: number): Day {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return withinYears(date.getTime());
}

function withinYears(time: number): Day {
  if (!(time > Date.parse(`${firstDay}T00:00:00Z`))) return firstDay;
  return time > Date.parse(`${lastDay}T00:00:00Z`) ? lastDay : dayOfTime(time);
}

/** Returns the day of a time in UTC; empty if it isn't a time. */
const dayOfTime = (time: number): Day =>
  Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10);
