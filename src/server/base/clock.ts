/** Returns the current time in milliseconds since the epoch; replaced in tests. */
export type Clock = () => number;

/** Returns a time in RFC 3339, in UTC with milliseconds. Such texts sort in the order of their times. */
export const timestamp = (timeMs: number): string => new Date(timeMs).toISOString();

/**
 * Returns the milliseconds since the epoch of an RFC 3339 date or time, or undefined if that does not exist: JavaScript
 * itself reads 30 February as 2 March.
 */
export function parseTime(text: string): number | undefined {
  const [date = ''] = text.split('T');
  const timeMs = Date.parse(text);
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(timeMs) || Number.isNaN(midnightMs)) return undefined;
  return timestamp(midnightMs).startsWith(date) ? timeMs : undefined;
}

export const minutesMs = (minutes: number): number => minutes * 60_000;
export const hoursMs = (hours: number): number => hours * 3_600_000;
export const daysMs = (days: number): number => days * 86_400_000;
