import { call, type ResponseOf } from '../app/api.ts';
import type { RecordKind } from '../ui/server-data/trash.ts';

/** A version of a record of each kind, with its content. */
export interface VersionContents {
  readonly dashboard: ResponseOf<'GET /api/dashboards/{dashboardId}/versions/{version}'>;
  readonly report: ResponseOf<'GET /api/reports/{reportId}/versions/{version}'>;
}

interface HistoryCalls<Content> {
  list(
    id: string,
    query: { readonly cursor?: string },
    signal: AbortSignal,
  ): Promise<ResponseOf<'GET /api/dashboards/{dashboardId}/versions'>>;
  read(id: string, version: string, signal: AbortSignal): Promise<Content>;
  compare(
    id: string,
    query: { readonly from: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<ResponseOf<'GET /api/dashboards/{dashboardId}/changes'>>;
  restore(id: string, version: string): Promise<unknown>;
}

/** The operations on versions of each kind. */
export const historyCalls: { readonly [Kind in RecordKind]: HistoryCalls<VersionContents[Kind]> } = {
  dashboard: {
    list: (dashboardId, query, signal) =>
      call('GET /api/dashboards/{dashboardId}/versions', { params: { dashboardId }, query, signal }),
    read: (dashboardId, version, signal) =>
      call('GET /api/dashboards/{dashboardId}/versions/{version}', {
        params: { dashboardId, version },
        signal,
      }),
    compare: (dashboardId, query, signal) =>
      call('GET /api/dashboards/{dashboardId}/changes', { params: { dashboardId }, query, signal }),
    restore: (dashboardId, version) =>
      call('POST /api/dashboards/{dashboardId}/versions/{version}/restore', {
        params: { dashboardId, version },
      }),
  },
  report: {
    list: (reportId, query, signal) =>
      call('GET /api/reports/{reportId}/versions', { params: { reportId }, query, signal }),
    read: (reportId, version, signal) =>
      call('GET /api/reports/{reportId}/versions/{version}', { params: { reportId, version }, signal }),
    compare: (reportId, query, signal) =>
      call('GET /api/reports/{reportId}/changes', { params: { reportId }, query, signal }),
    restore: (reportId, version) =>
      call('POST /api/reports/{reportId}/versions/{version}/restore', { params: { reportId, version } }),
  },
};
