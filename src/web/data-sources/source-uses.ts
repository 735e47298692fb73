import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';

/** The reports that use a data source, or one of its tables. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- its type is the query's, with its key.
export const sourceUsesQuery = (dataSourceId: string, table?: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'uses', table],
    queryFn: ({ signal }) =>
      call('GET /api/data-sources/{dataSourceId}/uses', {
        params: { dataSourceId },
        ...(table !== undefined && { query: { table } }),
        signal,
      }),
    staleTime: 0,
  });
