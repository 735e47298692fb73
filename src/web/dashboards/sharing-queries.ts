import { queryOptions } from '@tanstack/react-query';
import type { Dashboard } from '#contract/dashboards.ts';
import type { Member } from '#contract/members.ts';
import { call } from '../api.ts';

/** What sharing needs of a dashboard. */
export type SharedDashboard = Pick<Dashboard, 'id' | 'userId' | 'organizationId'>;

/** What you may do with a dashboard. */
export const permissionsQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'permissions'],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/permissions', { params: { dashboardId }, signal }),
  });

/** Whom a dashboard is shared with by name. */
export const accessQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'access'],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/access', { params: { dashboardId }, signal }),
  });

/** All members of an organization. */
export const allMembersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['members', orgId, 'all'],
    queryFn: async ({ signal }): Promise<readonly Member[]> => {
      const all: Member[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: '200', ...(cursor !== undefined && { cursor }) };
        const page = await call('GET /api/organizations/{orgId}/members', {
          params: { orgId },
          query,
          signal,
        });
        all.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return all;
    },
  });
