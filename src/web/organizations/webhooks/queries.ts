import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** The webhooks of an organization. For owners and admins. */
export const webhooksQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['webhooks', orgId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/organizations/{orgId}/webhooks', { params: { orgId }, signal })).items,
    // The server may have disabled one.
    staleTime: 0,
  });

/** What was or is to be sent to a webhook, the newest first; loaded again while something is to be sent soon. */
export const deliveriesQuery = (orgId: string, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', orgId, webhookId, 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries', {
        params: { orgId, webhookId },
        query: { limit: '20', ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'pending')) === true
        ? 3_000
        : false,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
