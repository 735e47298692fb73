import { isInScope } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { authenticate } from '../../sessions/sessions.ts';
import type { Database } from '../../storage/database.ts';
import { findConfigurationOfSession } from '../logout/store.ts';
import { returnPath } from './return-path.ts';

/**
 * Returns where to send a signed-in browser that follows a sign-in link from another site: to a page that asks for
 * confirmation, since the link would replace the session with another one (RFC 6749, section 10.12), or straight to the
 * target of the link if the session was obtained through the same directory. Undefined if nobody is signed in. The
 * result is the same for an organization that does not exist.
 */
export async function findUrlInstead(
  { database, clock }: { database: Database; clock: Clock },
  token: string | undefined,
  organizationId: string,
  query: { returnTo?: string; prompt?: 'login' },
): Promise<string | undefined> {
  const actor = token === undefined ? undefined : await authenticate(database, clock, token);
  if (actor === undefined) return undefined;
  const returnTo = returnPath(query.returnTo);
  if (actor.credential.method === 'sso' && isInScope(actor, organizationId)) {
    // The directory asks them to sign in to confirm their identity, so the link needs no further check.
    return query.prompt === 'login' ? undefined : returnTo;
  }
  return `/sign-in?${new URLSearchParams({ tile: organizationId, returnTo }).toString()}`;
}

/**
 * Returns the configuration through which the session of a browser was obtained, if it is one of this organization: people confirm
 * their identity where they signed in.
 */
export async function findOwnConfiguration(
  { database, clock }: { database: Database; clock: Clock },
  token: string | undefined,
  organizationId: string,
): Promise<string | undefined> {
  const actor = token === undefined ? undefined : await authenticate(database, clock, token);
  if (actor?.credential.method !== 'sso' || !isInScope(actor, organizationId)) return undefined;
  return findConfigurationOfSession(database, actor.credential.id);
}
