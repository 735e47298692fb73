import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';
import { sessionQuery } from '../ui/session.ts';
import type { Doer } from './consequences.ts';

const ownAccountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call('GET /api/auth/account', { signal }),
});

/** Returns how who looks came in; until it is known, as if by a password. */
export function useDoer(orgId: string): Doer {
  const { data: signedIn } = useQuery(sessionQuery);
  const { data: account } = useQuery(ownAccountQuery);
  return {
    cameThroughDirectory: signedIn?.session.method === 'sso' && signedIn.session.organizationId === orgId,
    hasPassword: account?.hasPassword ?? true,
  };
}
