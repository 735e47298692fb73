import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { call, type AnswerOf } from '../../app/api.ts';
import type { ListSearch } from './search.ts';

type ListPage = AnswerOf<'GET /api/dashboards'>;
export type ListPages = InfiniteData<ListPage, string | undefined>;

/** What every list of dashboards is kept under. */
export const listKey = ['dashboards', 'list'] as const;

/** A page may be empty though there is more behind it: so many are read before a person is asked. */
const mostEmptyPages = 5;

/** A list of dashboards, page by page: of an organization, or one's own that belong to none. */
export const dashboardListQuery = (orgId: string | undefined, { q, show, sort }: ListSearch) =>
  infiniteQueryOptions({
    queryKey: [...listKey, orgId ?? 'personal', { q, show, sort }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<ListPage> => {
      const query = {
        ...(orgId === undefined ? { scope: 'personal' as const } : { organizationId: orgId }),
        ...(q !== undefined && { q }),
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
        if (page.items.length > 0 || cursor === undefined || read === mostEmptyPages) return page;
      }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Returns the pages with each dashboard as `change` makes it. */
export const changeItems = (
  pages: ListPages | undefined,
  change: (item: DashboardListItem) => DashboardListItem,
): ListPages | undefined =>
  pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
