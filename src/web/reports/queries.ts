import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callWithEtag } from '../app/api.ts';
import type { Search } from '../ui/browser/search.ts';
import type { ParameterValues } from './parameters/search.ts';

/** A report with the entity tag of its version, which saves have to send. */
export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['reports', reportId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callWithEtag('GET /api/reports/{reportId}', {
        params: { reportId },
        signal,
      });
      return { report: body, etag };
    },
  });

/** The reports of an organization, page by page. */
export const reportListQuery = (
  orgId: string,
  {
    q,
    source,
    folderId,
  }: {
    readonly q?: string | undefined;
    readonly source?: string | undefined;
    /** `none` for those in no folder. */
    readonly folderId?: string | undefined;
  },
) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'of', orgId, { q, source, folderId }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/reports', {
        query: {
          organizationId: orgId,
          ...(q !== undefined && { q }),
          ...(source !== undefined && { dataSourceId: source }),
          ...(folderId !== undefined && { folderId }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The result of a report for values of its parameters. Parameters that are left out have their default. */
export const reportResultQuery = (reportId: string, parameters: ParameterValues) =>
  queryOptions({
    queryKey: ['reports', reportId, 'result', parameters],
    queryFn: ({ signal }) =>
      call('POST /api/reports/{reportId}/run', { params: { reportId }, body: { parameters }, signal }),
    retry: false,
  });

/**
 * The allowed values of a parameter, which can depend on those of other parameters; undefined if any value of its type is
 * allowed.
 */
export const allowedValuesQuery = (reportId: string, parameter: string, others: Search = {}) =>
  queryOptions({
    queryKey: ['reports', reportId, 'parameters', parameter, others],
    queryFn: ({ signal }) =>
      call('GET /api/reports/{reportId}/parameters/{parameter}/values', {
        params: { reportId, parameter },
        query: { ...others },
        signal,
      }),
    staleTime: 60_000,
  });

/** The dashboards that show a report. */
export const reportUsesQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['reports', reportId, 'dashboards'],
    queryFn: ({ signal }) => call('GET /api/reports/{reportId}/dashboards', { params: { reportId }, signal }),
  });
