import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

/** The last versions of a dashboard, newest first. */
export const versionsQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'versions'],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/versions', {
        params: { dashboardId },
        query: { limit: '50' },
        signal,
      }),
  });
