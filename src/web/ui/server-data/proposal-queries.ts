import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** The most open proposals that the navigation counts. */
export const maxCountedProposals = 99;

/** The open proposals of an organization that you have made or may decide, the newest first, as many as the navigation counts. */
export const openProposalsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['proposals', orgId, 'open'],
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/organizations/{orgId}/proposals', {
          params: { orgId },
          query: { limit: String(maxCountedProposals + 1) },
          signal,
        })
      ).items,
    staleTime: 60_000,
  });
