import type { Calendar } from '../dates/days.ts';
import { defaultTimeZone } from '../dates/time-zones.ts';

/** Where an organization is, and which day its weeks start with. */
export type OrganizationCalendar = Omit<Calendar, 'now'>;

export const defaultCalendar: OrganizationCalendar = { timeZone: defaultTimeZone, weekStart: 'monday' };

let current: OrganizationCalendar = defaultCalendar;
let frozenAt: number | undefined;

/**
 * Sets the calendar of everything that is shown from now on, as `setRegion` does for the region.
 * @param now What time it is, for an export; if it is left out, the clock says it.
 */
export function setCalendar({ timeZone, weekStart }: OrganizationCalendar, now?: number): void {
  current = { timeZone, weekStart };
  frozenAt = now;
}

/** Returns the calendar of the current organization, and what time it is. */
export const currentCalendar = (): Calendar => ({ ...current, now: frozenAt ?? Date.now() });
