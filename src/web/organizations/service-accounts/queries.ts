import { queryOptions } from '@tanstack/react-query';
import type { ServiceAccount } from '#contract/credentials/service-accounts.ts';
import { call } from '../../app/api.ts';
import { allPages } from '../../ui/server-data/all-pages.ts';

/** The service accounts of an organization. For owners and admins. */
export const serviceAccountsQuery = (orgId: string) =>
  queryOptions({
    // Begins like the list of members, to which they belong, so that what changes members reloads them.
    queryKey: ['members', orgId, 'service-accounts'],
    queryFn: ({ signal }): Promise<readonly ServiceAccount[]> =>
      allPages((query) =>
        call('GET /api/organizations/{orgId}/service-accounts', { params: { orgId }, query, signal }),
      ),
  });
