import { queryOptions } from '@tanstack/react-query';
import type { Token } from '#contract/credentials/tokens.ts';
import { call } from '../app/api.ts';
import { allPages } from '../ui/server-data/all-pages.ts';

/** Of all lists of tokens. */
export const tokensKey = ['tokens'] as const;

/** Your personal tokens, newest first. */
export const myTokensQuery = queryOptions({
  queryKey: [...tokensKey, 'mine'],
  queryFn: ({ signal }): Promise<readonly Token[]> =>
    allPages((query) => call('GET /api/auth/tokens', { query, signal })),
  // They are used and expire without this page.
  staleTime: 0,
});

/** The tokens for an organization, of its members and its service accounts. For owners and admins. */
export const organizationTokensQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...tokensKey, 'organization', orgId],
    queryFn: ({ signal }): Promise<readonly Token[]> =>
      allPages((query) =>
        call('GET /api/organizations/{orgId}/tokens', { params: { orgId }, query, signal }),
      ),
    staleTime: 0,
  });

/** Which tokens an organization permits. */
export const tokenPolicyQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['token-policy', orgId],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/{orgId}/token-policy', { params: { orgId }, signal }),
    staleTime: 0,
  });
