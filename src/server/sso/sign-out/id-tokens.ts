import type { SessionActor } from '../../base/actor.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { findConfigurationOfSession } from '../logout/store.ts';
import { findIdToken, insertIdToken } from './store.ts';

const purpose = 'sso-id-token';

/** The longest token that is sent in a URL: many servers refuse URLs of more than 8 KB, and some add their own. */
const maxLength = 4_000;

/** Stores the ID token of a new session for its sign-out, unless it is too long for a URL. */
export async function storeIdToken(
  transaction: Transaction,
  secretBox: SecretBox,
  { organizationId, sessionId, idToken }: { organizationId: string; sessionId: string; idToken: string },
): Promise<void> {
  if (idToken.length > maxLength) return;
  await insertIdToken(transaction, { sessionId, idToken: secretBox.seal(organizationId, purpose, idToken) });
}

/** How to end the session at the identity provider of a session here. */
export interface DirectorySignOut {
  readonly configurationId: string;
  readonly idToken: string | undefined;
}

/**
 * Returns the configuration and the ID token of the actor's session, or undefined if it was obtained another way. There is no token
 * if it was not stored, or its root key was removed.
 */
export async function readSignOut(
  { database, secretBox }: { database: Reader; secretBox: SecretBox },
  { credential, scope }: SessionActor,
): Promise<DirectorySignOut | undefined> {
  if (credential.method !== 'sso' || scope === 'all') return undefined;
  const configurationId = await findConfigurationOfSession(database, credential.id);
  if (configurationId === undefined) return undefined;
  const sealed = await findIdToken(database, credential.id);
  if (sealed === undefined || !secretBox.hasKeyOf(sealed)) return { configurationId, idToken: undefined };
  return { configurationId, idToken: secretBox.open(scope.organizationId, purpose, sealed) };
}
