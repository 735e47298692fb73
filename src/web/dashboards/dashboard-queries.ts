import { queryOptions } from '@tanstack/react-query';
import { callForAnswer } from '../app/api.ts';

/** A dashboard with the version that it is of, as the entity tag that a save is sent with. */
export const dashboardQuery = (dashboardId: string) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callForAnswer('GET /api/dashboards/{dashboardId}', {
        params: { dashboardId },
        signal,
      });
      return { dashboard: body, etag };
    },
  });
