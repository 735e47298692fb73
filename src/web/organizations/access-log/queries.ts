import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { toAuditQuery, type AuditSearch } from '../audit/search.ts';

/** The data-access log of an organization, newest entries first. For owners and admins. */
export const accessQuery = (orgId: string, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['access-log', orgId, 'entries', search],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/organizations/{orgId}/access-log', {
        params: { orgId },
        query: { ...toAuditQuery(search), ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    // Each view adds to it.
    staleTime: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** For how many days an organization keeps its data-access log. */
export const retentionQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['access-log', orgId, 'retention'],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/access-log/retention', { params: { orgId }, signal }),
  });
