import { queryOptions } from '@tanstack/react-query';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { call } from '../../app/api.ts';

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
