import { queryOptions } from '@tanstack/react-query';
import type { Usage } from '#contract/organizations/usage.ts';
import { call } from '../../app/api.ts';

/** What is stored and the limits, of an organization for its admins, or of your account if `orgId` is undefined. */
export const usageQuery = (orgId: string | undefined) =>
  queryOptions({
    queryKey: ['usage', orgId ?? 'personal'],
    queryFn: ({ signal }): Promise<Usage> =>
      orgId === undefined
        ? call('GET /api/auth/account/usage', { signal })
        : call('GET /api/organizations/{orgId}/usage', { params: { orgId }, signal }),
    // The server counts for each response, so pages that only warn ask rarely.
    staleTime: 5 * 60_000,
  });
