import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** The threads of a dashboard, open or resolved, the newest first. */
export const threadsQuery = (dashboardId: string, state: 'open' | 'resolved') =>
  infiniteQueryOptions({
    queryKey: ['comments', dashboardId, state],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/dashboards/{dashboardId}/comments', {
        params: { dashboardId },
        query: { limit: '20', state, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The thread of one comment; null if there is none. */
export const threadQuery = (dashboardId: string, commentId: string) =>
  queryOptions({
    queryKey: ['comments', dashboardId, 'one', commentId],
    queryFn: async ({ signal }) => {
      const { items } = await call('GET /api/dashboards/{dashboardId}/comments', {
        params: { dashboardId },
        query: { 'comment-id': commentId },
        signal,
      });
      return items[0] ?? null;
    },
  });

/** The people who can be mentioned, whose name starts with a text. */
export const mentionableQuery = (dashboardId: string, q: string) =>
  queryOptions({
    queryKey: ['mentionable', dashboardId, q],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/mentionable', {
        params: { dashboardId },
        query: { q },
        signal,
      }),
    staleTime: 60_000,
  });
