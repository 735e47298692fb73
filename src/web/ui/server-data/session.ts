import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Organization, Role } from '#contract/organizations/organizations.ts';
import { call } from '../../app/api.ts';
import { allPages } from './all-pages.ts';

/** Who is signed in. */
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

/** The organizations that this session opens, all of them. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }): Promise<readonly Organization[]> =>
    allPages((query) => call('GET /api/organizations', { query, signal })),
  staleTime: 60_000,
});

/** Returns the organization with your role in it; undefined while it is not known, or when it does not open to you. */
export function useOrganization(orgId: string | undefined): Organization | undefined {
  const { data } = useQuery(organizationsQuery);
  return data?.find(({ id }) => id === orgId);
}

const ranks: Readonly<Record<Role, number>> = { owner: 3, admin: 2, editor: 1, viewer: 0 };

/** Whether a role may do what takes `needed`. */
export const mayAs = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && ranks[role] >= ranks[needed];
