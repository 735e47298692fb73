import { createPublicKey } from 'node:crypto';
import type { ClientCredentialInput, NewClientCredential, PublicKey } from '#contract/credentials/clients.ts';
import type { SessionActor } from '../base/actor.ts';
import { newBearerToken } from '../base/credentials/bearer-tokens.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { invalidBody } from '../base/errors.ts';
import { hashToken, newToken } from '../base/credentials/tokens.ts';
import { requirePermissionToChange } from '../organizations/authorization.ts';
import { getServiceAccount } from './service-accounts.ts';
import { storeToken, type CredentialDependencies } from './tokens.ts';

/**
 * Creates a secret of a service account, or registers a public key, with which it gets access tokens. Requires permission to manage
 * members and a recent confirmation. Throws `not_found`, `too_many_tokens`, and `invalid_body` for a key that can't be used.
 */
export function createClientCredential(
  { database, clock }: CredentialDependencies,
  actor: SessionActor,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  { publicKey, ...input }: ClientCredentialInput,
): Promise<NewClientCredential> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    await getServiceAccount(transaction, organizationId, userId);
    requireConfirmation(actor, clock);
    const owner = { userId, organizationId, input };
    if (publicKey !== undefined) {
      const token = await storeToken(transaction, clock, actor, {
        ...owner,
        type: 'client_key',
        // Nothing has this hash: a key is found by its client.
        tokenHash: hashToken(newToken()),
        publicKey: JSON.stringify(requirePublicKey(publicKey)),
      });
      return { ...token, clientId: userId };
    }
    const clientSecret = newBearerToken('clientSecret');
    const secret = { type: 'client_secret', tokenHash: hashToken(clientSecret), publicKey: null } as const;
    const token = await storeToken(transaction, clock, actor, { ...owner, ...secret });
    return { ...token, clientId: userId, clientSecret };
  });
}

const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid'] as const;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Returns the members of a public key that are stored. Throws `invalid_body`. */
function requirePublicKey(key: PublicKey): PublicKey {
  if (privateMembers.some((name) => name in key)) {
    throw invalidKey('contains a private key. Replace the key, and send only its public part');
  }
  const known = Object.fromEntries(publicMembers.flatMap((name) => (name in key ? [[name, key[name]]] : [])));
  const bits = bitsOf(key);
  if (bits === undefined) throw invalidKey('must be an RSA key, or a key on P-256 or Ed25519');
  if (key.kty === 'RSA' && (bits < 2_048 || bits > 4_096 || key.e !== 'AQAB')) {
    throw invalidKey('must have 2,048 to 4,096 bits, and the exponent 65537');
  }
  // Sound because `name` is one of its members.
  return known as PublicKey;
}

const invalidKey = (message: string) => invalidBody({ pointer: '/publicKey', code: 'key', message });

/** Returns how many bits the modulus of a key has, 0 if it has none, or undefined if it is not a key. */
function bitsOf(key: PublicKey): number | undefined {
  const isOfItsType = key.kty === 'RSA' || key.crv === (key.kty === 'EC' ? 'P-256' : 'Ed25519');
  if (!isOfItsType) return undefined;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    return asymmetricKeyDetails?.modulusLength ?? 0;
  } catch {
    return undefined;
  }
}
