import { dayMs } from '#shared/dates/days.ts';
import { dateFormat } from '#shared/region/intl.ts';
import type { WallTime } from './wall-clock.ts';

/** A range of times that charts show, as people read them on their axes. */
export interface TimeRange {
  readonly from: WallTime;
  readonly to: WallTime;
}

const timePattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/;

/** Returns a range as it is in a URL, such as `2026-01-05..2026-02-01T12:30`. */
export const rangeToText = ({ from, to }: TimeRange): string => `${timeToText(from)}..${timeToText(to)}`;

function timeToText(time: WallTime): string {
  const text = new Date(time).toISOString();
  if (time % dayMs === 0) return text.slice(0, 10);
  return text.slice(0, time % 60_000 === 0 ? 16 : 19);
}

/** Returns the range of a text; undefined if it is none. */
export function rangeOfText(text: unknown): TimeRange | undefined {
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const [from = Number.NaN, to = Number.NaN, ...rest] = text
    .split('..')
    .map((each) =>
      timePattern.test(each) ? Date.parse(`${each}${each.includes('T') ? 'Z' : ''}`) : Number.NaN,
    );
  return from < to && rest.length === 0 ? { from, to } : undefined;
}

/** Returns a range between two times, in seconds; undefined if it is shorter than one. */
export function rangeBetween(one: WallTime, other: WallTime): TimeRange | undefined {
  const [from, to] = [one, other].toSorted((a, b) => a - b).map((time) => Math.round(time / 1_000) * 1_000);
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

/** Returns a range for people, such as `Jan 5 – Feb 1, 2026`. */
export function rangeForPeople({ from, to }: TimeRange, locale?: string): string {
  const hasTime = to - from < 3 * dayMs;
  return dateFormat(
    { dateStyle: 'medium', ...(hasTime && { timeStyle: 'short' }), timeZone: 'UTC' },
    locale,
  ).formatRange(from, to);
}
