import type { SessionActor } from '../../base/actor.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
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

/** Returns the ID token of the actor's session, or undefined if there is none or its root key was removed. */
export async function readIdToken(
  { database, secretBox }: { database: Reader; secretBox: SecretBox },
  { credential, scope }: SessionActor,
): Promise<string | undefined> {
  if (credential.method !== 'sso' || scope === 'all') return undefined;
  const sealed = await findIdToken(database, credential.id);
  if (sealed === undefined || !secretBox.hasKeyOf(sealed)) return undefined;
  return secretBox.open(scope.organizationId, purpose, sealed);
}
