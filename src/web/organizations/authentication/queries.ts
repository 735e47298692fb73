import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** Which second factors an organization requires. */
export const authenticationPolicyQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['authentication-policy', orgId],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/authentication-policy', { params: { orgId }, signal }),
    staleTime: 0,
  });
