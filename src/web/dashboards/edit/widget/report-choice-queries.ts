import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../app/api.ts';
import { allPages } from '../../../ui/server-data/all-pages.ts';

/** The newest reports of an organization whose names match a search. */
export const reportChoicesQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: ['reports', organizationId, 'choices', search],
    queryFn: ({ signal }) => {
      const query = { organizationId, limit: '50', ...(search !== '' && { q: search }) };
      return call('GET /api/reports', { query, signal });
    },
    placeholderData: keepPreviousData,
  });

/** The names of the reports of organizations, by their IDs. */
export const reportNamesQuery = (organizationIds: readonly string[]) =>
  queryOptions({
    queryKey: ['reports', 'names', organizationIds],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const lists = await Promise.all(
        organizationIds.map((organizationId) =>
          allPages((query) => call('GET /api/reports', { query: { ...query, organizationId }, signal })),
        ),
      );
      return new Map(lists.flat().map(({ id, name }) => [id, name]));
    },
    staleTime: 60_000,
  });
