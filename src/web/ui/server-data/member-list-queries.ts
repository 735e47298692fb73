import { queryOptions } from '@tanstack/react-query';
import type { Member } from '#contract/organizations/members.ts';
import { call } from '../../app/api.ts';
import { allPages } from './all-pages.ts';

/** All members of an organization. */
export const allMembersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['members', orgId, 'all'],
    queryFn: ({ signal }): Promise<readonly Member[]> =>
      allPages((query) =>
        call('GET /api/organizations/{orgId}/members', { params: { orgId }, query, signal }),
      ),
  });
