import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../app/api.ts';

/** The links of a dashboard for wall displays, the newest first. */
export const displayLinksQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'display-links'],
    queryFn: async ({ signal }) => {
      const path = 'GET /api/dashboards/{dashboardId}/display-links';
      return (await call(path, { params: { dashboardId }, signal })).items;
    },
    // When a display was last seen is worth a request.
    staleTime: 0,
  });
