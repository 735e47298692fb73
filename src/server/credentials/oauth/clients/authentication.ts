import { kindOfToken } from '../../../base/credentials/bearer-tokens.ts';
import type { Clock } from '../../../base/clock.ts';
import { hashToken } from '../../../base/credentials/tokens.ts';
import { findTokenByHash, selectTokens, type StoredToken } from '../../store.ts';
import { isSuspended, isValid, suspendedText } from '../../validity.ts';
import type { Reader } from '../../../storage/database.ts';
import { readClientOf, verifyAssertion, type Assertion } from './assertions.ts';
import { OAuthError } from '../errors.ts';
import type { Form } from '../form.ts';

/** A client that has proven who it is. */
export interface Client {
  /** The secret or key that it used. */
  readonly credential: StoredToken;
  /** Present if it signed an assertion, which must not be accepted again. */
  readonly assertion?: Assertion;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Longer than any assertion of a key that is accepted. */
const maxAssertionLength = 4_096;

/**
 * Authenticates the client of a request by `client_secret_basic`, `client_secret_post` (RFC 6749, section 2.3.1) or `private_key_jwt`
 * (RFC 7523, section 2.2). Administrators can't choose how a provisioning service sends the secret. Throws `invalid_client`, the
 * same for every reason but a restore that has suspended the credential, and `invalid_request` for more than one method.
 */
export async function authenticateClient(
  { reader, clock, audiences }: ClientDependencies,
  authorization: string | undefined,
  form: Form,
): Promise<Client> {
  const assertion = form.get('client_assertion');
  const secret = form.get('client_secret');
  if ([authorization, assertion, secret].filter((proof) => proof !== undefined).length > 1) {
    throw new OAuthError('invalid_request', 'The client authenticates in more than one way.');
  }
  const client =
    assertion === undefined
      ? await findBySecret(
          reader,
          clock,
          secret === undefined ? readBasic(authorization) : [form.get('client_id') ?? '', secret],
        )
      : await findByAssertion({ reader, clock, audiences }, form.get('client_assertion_type'), assertion);
  const claimed = form.get('client_id');
  if (client === undefined || (claimed !== undefined && claimed !== client.credential.userId)) {
    throw invalidClient('The client is unknown, or its secret, key or assertion is not valid.');
  }
  return client;
}

export interface ClientDependencies {
  readonly reader: Reader;
  readonly clock: Clock;
  /** What the server is called in assertions. */
  readonly audiences: readonly string[];
}

export const invalidClient = (description: string): OAuthError =>
  new OAuthError('invalid_client', description);

async function findBySecret(
  reader: Reader,
  clock: Clock,
  [id, secret]: readonly [id: string, secret: string],
): Promise<Client | undefined> {
  if (kindOfToken(secret) !== 'clientSecret') return undefined;
  const credential = await findTokenByHash(reader, hashToken(secret));
  const isOfClient = credential?.type === 'client_secret' && credential.userId === id;
  if (!isOfClient) return undefined;
  if (isSuspended(credential, clock())) throw invalidClient(suspendedText);
  return isValid(credential, clock()) ? { credential } : undefined;
}

/** Returns the ID and the secret of `Authorization: Basic`; empty texts if it has none. Both are form-encoded within. */
function readBasic(authorization = ''): readonly [id: string, secret: string] {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,400})$/i.exec(authorization)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString();
  const end = text.indexOf(':');
  // IDs and secrets have no characters that an encoding would change.
  return end === -1 ? ['', ''] : [text.slice(0, end), text.slice(end + 1)];
}

async function findByAssertion(
  { reader, clock, audiences }: ClientDependencies,
  type: string | undefined,
  text: string,
): Promise<Client | undefined> {
  if (type !== assertionType || text.length > maxAssertionLength) return undefined;
  const clientId = await readClientOf(text);
  if (clientId === undefined) return undefined;
  const now = clock();
  const { rows: tokens } = await selectTokens(reader, { userId: clientId }, { limit: 50, after: undefined });
  const keys = tokens.filter(
    (token) => token.type === 'client_key' && (isValid(token, now) || isSuspended(token, now)),
  );
  const assertion = await verifyAssertion(text, { clientId, keys, audiences, now });
  const credential = keys.find(({ id }) => id === assertion?.keyId);
  if (credential !== undefined && isSuspended(credential, now)) throw invalidClient(suspendedText);
  return assertion && credential && { credential, assertion };
}
