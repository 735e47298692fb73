import { queryOptions } from '@tanstack/react-query';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { call } from '../../app/api.ts';

/** The parts of a dashboard that sharing depends on. */
export type SharedDashboard = Pick<Dashboard, 'id' | 'userId' | 'organizationId'>;

/** Your permissions on a dashboard. */
export const permissionsQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'permissions'],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/permissions', { params: { dashboardId }, signal }),
  });

/** The members that a dashboard is shared with. */
export const accessQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'access'],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/access', { params: { dashboardId }, signal }),
  });
