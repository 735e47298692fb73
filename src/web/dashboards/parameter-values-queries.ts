import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

/** The values that a parameter of a report may have. */
export const parameterValuesQuery = (reportId: string, parameter: string) =>
  queryOptions({
    queryKey: ['reports', reportId, 'parameter-values', parameter],
    queryFn: ({ signal }) =>
      call('GET /api/reports/{reportId}/parameters/{parameter}/values', {
        params: { reportId, parameter },
        signal,
      }),
    staleTime: 60_000,
  });
