import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';

/** The last test of a connection. Each one calls the source, so it runs only when a person asks for it. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- its type is the query's, with its key.
export const connectionTestQuery = (dataSourceId: string) =>
  queryOptions({
    queryKey: ['data-sources', dataSourceId, 'test'],
    queryFn: ({ signal }) =>
      call('POST /api/data-sources/{dataSourceId}/test', { params: { dataSourceId }, signal }),
    retry: false,
    staleTime: Infinity,
  });
