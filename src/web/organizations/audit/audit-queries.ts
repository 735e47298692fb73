import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { toAuditQuery, type AuditSearch } from './search.ts';

/** What happened in an organization, newest first. For owners and admins. */
export const auditQuery = (orgId: string, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', orgId, search],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/organizations/{orgId}/audit', {
        params: { orgId },
        query: { ...toAuditQuery(search), ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    // What was just done anywhere is in it.
    staleTime: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
