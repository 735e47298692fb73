import { parameterName } from '#shared/parameter-values.ts';
import type { Search } from '../../ui/browser/search.ts';

/** The refresh intervals of an open dashboard, in seconds, by their names in the URL. */
export const refreshIntervals = { '30s': 30, '1m': 60, '5m': 300, '15m': 900 } as const;
export type RefreshInterval = keyof typeof refreshIntervals;

/**
 * What the URL of a dashboard contains: the refresh interval, the key of the open tab, the comment that a link leads to, the range of
 * times that charts show, and the value of each filter by the name of its parameter. Names of parameters can't contain a hyphen,
 * so they never collide with the others.
 */
export type DashboardSearch = Search &
  TabSearch & {
    readonly 'refresh-every'?: RefreshInterval | undefined;
    /** The comment of a link. */
    readonly 'comment-id'?: string | undefined;
    /** The range of times that charts show. */
    readonly 'time-zoom'?: string | undefined;
  };

/** What the URL of the editor contains: the key of the open tab. */
export interface TabSearch {
  readonly 'open-tab'?: string | undefined;
}

/** Returns the values of the filters in a URL. */
export function filtersOf(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([name]) => parameterName.test(name)));
}

export function readDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const { 'refresh-every': every, 'comment-id': comment, 'time-zoom': zoom } = search;
  return {
    // Sound because `parseSearch` returns nothing else.
    ...filtersOf(search as Search),
    ...(isInterval(every) && { 'refresh-every': every }),
    ...(typeof comment === 'string' && comment !== '' && { 'comment-id': comment }),
    ...(typeof zoom === 'string' && zoom !== '' && { 'time-zoom': zoom }),
    ...readTabSearch(search),
  };
}

export function readTabSearch({ 'open-tab': tab }: Readonly<Record<string, unknown>>): TabSearch {
  return typeof tab === 'string' && tab !== '' ? { 'open-tab': tab } : {};
}

const isInterval = (every: unknown): every is RefreshInterval =>
  typeof every === 'string' && Object.hasOwn(refreshIntervals, every);
