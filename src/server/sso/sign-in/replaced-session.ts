import { isInScope } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { authenticate } from '../../sessions/sessions.ts';
import type { Database } from '../../storage/database.ts';
import { returnPath } from './return-path.ts';

/**
 * Returns where a browser goes that follows a link of somebody else's to a sign-in, when somebody is signed in: to a page
 * that asks, since the link would put another's session in the place of theirs (RFC 6749, section 10.12); or straight to
 * where the link leads, when the session came through the same directory. Undefined when nobody is signed in. It is the
 * same for an organization that there is not.
 */
export async function findPlaceInstead(
  { database, clock }: { database: Database; clock: Clock },
  token: string | undefined,
  organizationId: string,
  query: { returnTo?: string; prompt?: 'login' },
): Promise<string | undefined> {
  const actor = token === undefined ? undefined : await authenticate(database, clock, token);
  if (actor === undefined) return undefined;
  const returnTo = returnPath(query.returnTo);
  if (actor.credential.method === 'sso' && isInScope(actor, organizationId)) {
    // To confirm their identity. The directory asks them to sign in, so the link needs no further check.
    return query.prompt === 'login' ? undefined : returnTo;
  }
  return `/sign-in?${new URLSearchParams({ tile: organizationId, returnTo }).toString()}`;
}
