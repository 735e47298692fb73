import { queryOptions } from '@tanstack/react-query';
import { callWithEtag } from '../app/api.ts';

/** A dashboard, and the entity tag of its version, which a save sends as `If-Match`. */
export const dashboardQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callWithEtag('GET /api/dashboards/{dashboardId}', {
        params: { dashboardId },
        signal,
      });
      return { dashboard: body, etag };
    },
  });
