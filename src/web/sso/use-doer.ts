import { useQuery } from '@tanstack/react-query';
import { accountQuery, sessionQuery } from '../ui/server-data/session.ts';
import type { Doer } from './steps/consequences.ts';

/** Returns how you signed in. While that loads, assumes a password. */
export function useDoer(orgId: string): Doer {
  const { data: signedIn } = useQuery(sessionQuery);
  const { data: account } = useQuery(accountQuery);
  return {
    cameThroughDirectory: signedIn?.session.method === 'sso' && signedIn.session.organizationId === orgId,
    hasPassword: account?.hasPassword ?? true,
  };
}
