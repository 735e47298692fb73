import type { Search } from '../../ui/browser/search.ts';

/** How often a dashboard that is open asks for its results again, in seconds by the words of its address. */
export const refreshIntervals = { '30s': 30, '1m': 60, '5m': 300, '15m': 900 } as const;
export type RefreshInterval = keyof typeof refreshIntervals;

/**
 * What the address of a dashboard says: how often it is asked again, and the value of each filter by the name of its
 * parameter. No parameter has a hyphen in its name, so that the two never meet.
 */
export type DashboardSearch = Search & { readonly 'refresh-every'?: RefreshInterval | undefined };

/** The values of the filters in what an address says. */
export function filtersOf(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([name]) => parameterName.test(name)));
}

export function readDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const every = search['refresh-every'];
  return {
    // Sound because `parseSearch` gives nothing else.
    ...filtersOf(search as Search),
    ...(isInterval(every) && { 'refresh-every': every }),
  };
}

const parameterName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

const isInterval = (every: unknown): every is RefreshInterval =>
  typeof every === 'string' && Object.hasOwn(refreshIntervals, every);
