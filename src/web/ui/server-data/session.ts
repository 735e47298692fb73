import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Organization } from '#contract/organizations/organizations.ts';
import { call } from '../../app/api.ts';
import { allPages } from './all-pages.ts';

/** The current session and its user. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('GET /api/auth/get-session', { signal }),
  staleTime: 60_000,
});

/** The account behind this session. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call('GET /api/auth/account', { signal }),
});

/** All organizations that the session has access to. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }): Promise<readonly Organization[]> =>
    allPages((query) => call('GET /api/organizations', { query, signal })),
  staleTime: 60_000,
});

/** Returns the organization with your role in it; undefined while it loads, or if you have no access to it. */
export function useOrganization(orgId: string | undefined): Organization | undefined {
  const { data } = useQuery(organizationsQuery);
  return data?.find(({ id }) => id === orgId);
}
