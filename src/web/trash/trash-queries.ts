import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';

/** What is told of anything in the bin. */
export interface InBin {
  readonly id: string;
  readonly kind: 'dashboard' | 'report';
  readonly name: string;
  readonly userId: string;
  readonly deletedAt: string;
  readonly deletedByName?: string;
  readonly purgeAt: string;
}

interface BinPage {
  readonly items: readonly InBin[];
  readonly nextCursor: string | undefined;
}

const first = undefined as string | undefined;
const getNextPageParam = ({ nextCursor }: BinPage) => nextCursor;
const queryOf = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

/** The deleted dashboards of an organization that one may restore. */
export const deletedDashboardsQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: ['bin', 'dashboards', organizationId],
    initialPageParam: first,
    queryFn: async ({ pageParam, signal }): Promise<BinPage> => {
      const query = { organizationId, ...queryOf(pageParam) };
      const { items, nextCursor } = await call('GET /api/bin/dashboards', { query, signal });
      return { items: items.map((item) => ({ ...item, kind: 'dashboard' })), nextCursor };
    },
    getNextPageParam,
  });

/** One's own deleted dashboards, which belong to no organization. */
export const ownDeletedQuery = infiniteQueryOptions({
  queryKey: ['bin', 'dashboards', 'own'],
  initialPageParam: first,
  queryFn: async ({ pageParam, signal }): Promise<BinPage> => {
    const query = { limit: '200', ...queryOf(pageParam) };
    const { items, nextCursor } = await call('GET /api/bin/dashboards', { query, signal });
    // The bin of all that one may restore has them among those of organizations.
    const own = items.filter(({ organizationId }) => organizationId === undefined);
    return { items: own.map((item) => ({ ...item, kind: 'dashboard' })), nextCursor };
  },
  getNextPageParam,
});

/** The deleted reports of an organization. */
export const deletedReportsQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: ['bin', 'reports', organizationId],
    initialPageParam: first,
    queryFn: async ({ pageParam, signal }): Promise<BinPage> => {
      const query = { organizationId, ...queryOf(pageParam) };
      const { items, nextCursor } = await call('GET /api/bin/reports', { query, signal });
      return { items: items.map((item) => ({ ...item, kind: 'report' })), nextCursor };
    },
    getNextPageParam,
  });
