import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callForAnswer } from '../app/api.ts';
import type { ParameterValues } from './parameters/search.ts';

/** A report with the version that it is of, as the entity tag that a save is sent with. */
export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['reports', reportId],
    queryFn: async ({ signal }) => {
      const { body, etag } = await callForAnswer('GET /api/reports/{reportId}', {
        params: { reportId },
        signal,
      });
      return { report: body, etag };
    },
  });

/** The reports of an organization, page by page. */
export const reportListQuery = (
  orgId: string,
  { q, source }: { readonly q?: string | undefined; readonly source?: string | undefined },
) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'of', orgId, { q, source }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/reports', {
        query: {
          organizationId: orgId,
          ...(q !== undefined && { q }),
          ...(source !== undefined && { dataSourceId: source }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** What a report says for values of its parameters; those left out have their default. */
export const reportResultQuery = (reportId: string, parameters: ParameterValues) =>
  queryOptions({
    queryKey: ['reports', reportId, 'result', parameters],
    queryFn: ({ signal }) =>
      call('POST /api/reports/{reportId}/run', { params: { reportId }, body: { parameters }, signal }),
    retry: false,
  });

/** The values that a parameter may have; undefined: whatever fits its type. */
export const allowedValuesQuery = (reportId: string, parameter: string) =>
  queryOptions({
    queryKey: ['reports', reportId, 'parameters', parameter],
    queryFn: ({ signal }) =>
      call('GET /api/reports/{reportId}/parameters/{parameter}/values', {
        params: { reportId, parameter },
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
