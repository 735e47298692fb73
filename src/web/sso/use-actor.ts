import { useQuery } from '@tanstack/react-query';
import { accountQuery, sessionQuery } from '../ui/server-data/session.ts';
import type { Actor } from './steps/consequences.ts';

/** Returns how you signed in. While that loads, assumes a password. */
export function useActor(orgId: string): Actor {
  const { data: signedIn } = useQuery(sessionQuery);
  const { data: account } = useQuery(accountQuery);
  return {
    signedInThroughDirectory: signedIn?.session.method === 'sso' && signedIn.session.organizationId === orgId,
    hasPassword: account?.hasPassword ?? true,
  };
}
