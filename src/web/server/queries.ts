import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';

/** The state of the server, refreshed every five seconds. For operators. */
export const serverQuery = queryOptions({
  queryKey: ['server'],
  queryFn: ({ signal }) => call('GET /api/server', { signal }),
  refetchInterval: ({ state }) => (state.error === null ? 5_000 : false),
});
