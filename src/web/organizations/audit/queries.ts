import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { toAuditQuery, type AuditSearch } from './search.ts';

/** The audit log of an organization, newest entries first. For owners and admins. */
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
    // Any action adds an entry.
    staleTime: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
