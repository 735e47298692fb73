import { parameterName } from '#shared/parameter-values.ts';
import type { Search } from '../../ui/browser/search.ts';

/** The refresh intervals of an open dashboard, in seconds, by their names in the URL. */
export const refreshIntervals = { '30s': 30, '1m': 60, '5m': 300, '15m': 900 } as const;
export type RefreshInterval = keyof typeof refreshIntervals;

/**
 * What the URL of a dashboard contains: the refresh interval, and the value of each filter by the name of its parameter.
 * Names of parameters can't contain a hyphen, so they never collide with `refresh-every`.
 */
export type DashboardSearch = Search & { readonly 'refresh-every'?: RefreshInterval | undefined };

/** Returns the values of the filters in a URL. */
export function filtersOf(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([name]) => parameterName.test(name)));
}

export function readDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const every = search['refresh-every'];
  return {
    // Sound because `parseSearch` returns nothing else.
    ...filtersOf(search as Search),
    ...(isInterval(every) && { 'refresh-every': every }),
  };
}

const isInterval = (every: unknown): every is RefreshInterval =>
  typeof every === 'string' && Object.hasOwn(refreshIntervals, every);
