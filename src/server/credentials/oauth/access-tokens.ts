import { scopes as allScopes, type TokenScope } from '#contract/scopes.ts';
import { newBearerToken } from '../../base/credentials/bearer-tokens.ts';
import { hoursMs, timestamp, type Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { hashToken } from '../../base/credentials/tokens.ts';
import { narrowAudience, type Audience } from '../audience.ts';
import { findToken, insertToken, selectAccessTokens, touchToken, type StoredToken } from '../store.ts';
import { endOf, isValid } from '../validity.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { invalidClient, type Client } from './clients/authentication.ts';
import { OAuthError } from './errors.ts';
import { useAssertion } from './store.ts';

const lifetimeMs = hoursMs(1);

/** More than a client needs that uses each token until it expires. */
const maxLiveTokens = 100;

/** The response of the token endpoint (RFC 6749, section 5.1). */
export interface AccessTokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
}

/**
 * Creates an access token for a client, with the scopes that it asks for or (undefined) all that it has. Throws `invalid_scope`, `invalid_target`,
 * `invalid_client` if its credential was revoked or its assertion was used before, and `invalid_request` if it has too many tokens.
 */
export function createAccessToken(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { credential: { id: parentId, organizationId }, assertion }: Client,
  asked: { readonly scope: string | undefined; readonly audience: Audience | null | undefined },
  address: string,
): Promise<AccessTokenResponse> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const now = clock();
    const parent = await findToken(transaction, parentId);
    if (parent === undefined || !isValid(parent, now)) throw invalidClient('The credential was revoked.');
    if (assertion !== undefined && !(await useAssertion(transaction, assertion.use))) {
      throw invalidClient('The assertion was used before.');
    }
    const scopes = asked.scope === undefined ? parent.scopes : requireScopes(asked.scope, parent.scopes);
    const audience = narrowAudience(parent.audience, asked.audience);
    return insertAccessToken(transaction, { parent, scopes, audience, now, address });
  });
}

/** Creates an access token below a valid secret, key or authorization. Throws `invalid_request` if it has too many. */
export async function insertAccessToken(
  transaction: Transaction,
  {
    parent,
    scopes,
    audience,
    now,
    address,
  }: {
    readonly parent: StoredToken;
    readonly scopes: readonly TokenScope[];
    readonly audience: Audience | null;
    readonly now: number;
    readonly address: string;
  },
): Promise<AccessTokenResponse> {
  const { id: parentId, name, organizationId, userId, createdBy } = parent;
  const live = await selectAccessTokens(transaction, parentId, timestamp(now));
  if (live.length >= maxLiveTokens) {
    throw new OAuthError(
      'invalid_request',
      `The client already has ${maxLiveTokens} access tokens. Use each one until it expires.`,
    );
  }
  const expiresAt = Math.min(now + lifetimeMs, endOf(parent));
  const token = newBearerToken('access');
  await insertToken(transaction, {
    id: newId(),
    name,
    organizationId,
    userId,
    scopes,
    createdAt: timestamp(now),
    createdBy,
    expiresAt: timestamp(expiresAt),
    type: 'access',
    tokenHash: hashToken(token),
    publicKey: null,
    audience,
    parentId,
  });
  await touchToken(transaction, { token: parent, at: timestamp(now), address });
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt - now) / 1_000),
    scope: scopes.join(' '),
  };
}

/** Returns the scopes of a request (RFC 6749, section 3.3), each once. Throws `invalid_scope` if one is not granted. */
export function requireScopes(text: string, granted: readonly TokenScope[]): TokenScope[] {
  const wanted = new Set(text.split(' ').filter((name) => name !== ''));
  const found = allScopes.filter((name) => wanted.has(name) && granted.includes(name));
  if (found.length > 0 && found.length === wanted.size) return found;
  throw new OAuthError('invalid_scope', `The client has these scopes: ${granted.join(' ')}.`);
}
