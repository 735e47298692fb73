import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** The directory groups of an organization that contain a text, at most 50. */
export const groupsQuery = (orgId: string, search: string) =>
  queryOptions({
    queryKey: ['groups', orgId, search],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/groups', {
        params: { orgId },
        query: search === '' ? {} : { q: search },
        signal,
      }),
    placeholderData: (previous) => previous,
  });
