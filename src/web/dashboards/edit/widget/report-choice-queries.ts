import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../app/api.ts';
import { allPages } from '../../../ui/server-data/all-pages.ts';

/** The reports of an organization with something in their name, the newest of them. */
export const reportChoicesQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: ['reports', organizationId, 'choices', search],
    queryFn: ({ signal }) => {
      const query = { organizationId, limit: '50', ...(search !== '' && { q: search }) };
      return call('GET /api/reports', { query, signal });
    },
    placeholderData: keepPreviousData,
  });

/** What the reports of organizations are called, by their ids. */
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
