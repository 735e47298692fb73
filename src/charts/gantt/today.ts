import { isTemporal } from '#shared/columns.ts';
import { wallClockAt } from '#shared/dates/wall-clock.ts';
import { currentCalendar } from '#shared/region/calendar.ts';
import type { ResultColumn } from '../values/result-values.ts';

/**
 * Returns where now is on an axis of times; undefined for other axes. Times without a zone are those of the organization, and
 * have the position that they would have in UTC.
 */
export function positionOfNow(columns: readonly ResultColumn[]): number | undefined {
  if (!columns.every(({ type }) => isTemporal(type))) return undefined;
  const { now, timeZone } = currentCalendar();
  if (columns.every(({ type }) => type === 'instant')) return now;
  return wallClockAt(now, timeZone);
}
