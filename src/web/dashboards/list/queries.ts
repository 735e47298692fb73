import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { call, type ResponseOf } from '../../app/api.ts';
import { allPages } from '../../ui/server-data/all-pages.ts';
import type { ListSearch } from './search.ts';

type ListPage = ResponseOf<'GET /api/dashboards'>;
export type ListPages = InfiniteData<ListPage, string | undefined>;

/** The beginning of the query key of every list of dashboards. */
export const listKey = ['dashboards', 'list'] as const;

/** A page can be empty although others follow. At most this many are read before “Show more” appears. */
const maxEmptyPages = 5;

/** A list of dashboards, page by page: those of an organization, of one of its folders or with `none` in no folder, or your private ones. */
export const dashboardListQuery = (
  orgId: string | undefined,
  { q, show, sort }: ListSearch,
  folderId: string | undefined,
) =>
  infiniteQueryOptions({
    queryKey: [...listKey, orgId ?? 'personal', { q, show, sort, folderId }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<ListPage> => {
      const query = {
        ...(orgId === undefined ? { scope: 'personal' as const } : { organizationId: orgId }),
        ...(q !== undefined && { q }),
        ...(folderId !== undefined && { folderId }),
        ...(show !== undefined && { filter: show }),
        ...(show !== 'recent' && { sort: sort ?? 'updated' }),
      };
      let cursor = pageParam;
      for (let read = 1; ; read += 1) {
        const page = await call('GET /api/dashboards', {
          query: { ...query, ...(cursor !== undefined && { cursor }) },
          signal,
        });
        cursor = page.nextCursor;
        if (page.items.length > 0 || cursor === undefined || read === maxEmptyPages) return page;
      }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The dashboards of an organization that you have starred, by name. Unlike the list of them, it loses those that lose their star. */
export const starredLinksQuery = (orgId: string) => {
  const list = dashboardListQuery(orgId, { show: 'starred', sort: 'name' }, undefined);
  return { ...list, queryKey: [...list.queryKey, starredLinks] };
};
const starredLinks = 'links';
export const isStarredLinks = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  queryKey.at(-1) === starredLinks;

/** Returns the pages with `change` applied to each dashboard. */
export const changeItems = (
  pages: ListPages | undefined,
  change: (item: DashboardListItem) => DashboardListItem,
): ListPages | undefined =>
  pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map(change) })) };

/** The IDs of the dashboards that you have starred; no operation returns this for a single dashboard. */
export const starredQuery = queryOptions({
  queryKey: ['dashboards', 'starred'],
  queryFn: async ({ signal }) => {
    const items = await allPages((page) =>
      call('GET /api/dashboards', { query: { ...page, filter: 'starred' }, signal }),
    );
    return items.map(({ id }) => id);
  },
});
