import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** The limits of the sessions in which an organization is used. */
export const sessionPolicyQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['session-policy', orgId],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/session-policy', { params: { orgId }, signal }),
    staleTime: 0,
  });
