import { addDays, startOfDay, type Day } from '#shared/dates/days.ts';
import { paths } from '../../../app/paths.ts';
import { defaultSeconds } from '../../present/search.ts';
import { parseSearch, stringifySearch } from '../../../ui/browser/search.ts';

/** Returns the address to open on a display. The token is in the fragment, which browsers send to nobody. */
export function linkAddress({
  origin,
  token,
  seconds,
}: {
  readonly origin: string;
  readonly token: string;
  /** How long each part of the dashboard is shown. */
  readonly seconds: number;
}): string {
  const search = stringifySearch(seconds === defaultSeconds ? {} : { 'present-every': String(seconds) });
  return `${origin}${paths.display}${search}#${token}`;
}

/** Returns when a link stops working whose last day this is, as RFC 3339. */
export const endOfDay = (day: Day, timeZone: string): string =>
  new Date(startOfDay(addDays(day, 1), timeZone)).toISOString();

/** Returns the filters of a link for people, such as `region: north, south`. */
export const filtersText = (filters: string): string =>
  Object.entries(parseSearch(filters))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (value ?? []).join(', ')}`)
    .join(' · ');
