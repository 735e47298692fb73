import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { allPages } from '../../ui/server-data/all-pages.ts';

/** The ids of the dashboards that you have starred: no operation tells it of a single one. */
export const starredQuery = queryOptions({
  queryKey: ['dashboards', 'starred'],
  queryFn: async ({ signal }) => {
    const items = await allPages((page) =>
      call('GET /api/dashboards', { query: { ...page, filter: 'starred' }, signal }),
    );
    return items.map(({ id }) => id);
  },
});
