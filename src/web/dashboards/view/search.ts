import { parameterName } from '#shared/parameter-values.ts';
import type { Search } from '../../ui/browser/search.ts';

/** The refresh intervals of an open dashboard, in seconds, by their names in the URL. */
export const refreshIntervals = { '30s': 30, '1m': 60, '5m': 300, '15m': 900 } as const;
export type RefreshInterval = keyof typeof refreshIntervals;

/**
 * What the URL of a dashboard contains: the refresh interval, the key of the open tab, and the value of each filter by the name
 * of its parameter. Names of parameters can't contain a hyphen, so they never collide with `refresh-every` and `open-tab`.
 */
export type DashboardSearch = Search & {
  readonly 'refresh-every'?: RefreshInterval | undefined;
  readonly 'open-tab'?: string | undefined;
};

/** Returns the values of the filters in a URL. */
export function filtersOf(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([name]) => parameterName.test(name)));
}

export function readDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const every = search['refresh-every'];
  const tab = search['open-tab'];
  return {
    // Sound because `parseSearch` returns nothing else.
    ...filtersOf(search as Search),
    ...(isInterval(every) && { 'refresh-every': every }),
    ...(typeof tab === 'string' && tab !== '' && { 'open-tab': tab }),
  };
}

const isInterval = (every: unknown): every is RefreshInterval =>
  typeof every === 'string' && Object.hasOwn(refreshIntervals, every);
