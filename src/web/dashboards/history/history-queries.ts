import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

/** The versions of a dashboard, newest first, page by page. */
export const versionsQuery = (dashboardId: string) =>
  infiniteQueryOptions({
    queryKey: ['dashboards', dashboardId, 'versions'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/dashboards/{dashboardId}/versions', {
        params: { dashboardId },
        query: cursor === undefined ? {} : { cursor },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A version with all that was in it. */
export const versionQuery = (dashboardId: string, version: number) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'versions', version],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/versions/{version}', {
        params: { dashboardId, version: `${version}` },
        signal,
      }),
    staleTime: Infinity,
  });

/** What changed from one version to another. */
export const changesQuery = (dashboardId: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['dashboards', dashboardId, 'changes', from, to],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards/{dashboardId}/changes', {
        params: { dashboardId },
        query: { from: `${from}`, to: `${to}` },
        signal,
      }),
    staleTime: Infinity,
  });
