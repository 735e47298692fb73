import { kindOfToken, newBearerToken } from '../../../base/credentials/bearer-tokens.ts';
import { timestamp, type Clock } from '../../../base/clock.ts';
import { hashToken } from '../../../base/credentials/tokens.ts';
import { lockOrganization } from '../../../organizations/authorization.ts';
import type { Database, Transaction } from '../../../storage/database.ts';
import { narrowAudience, type Audience } from '../../audience.ts';
import { findToken, touchToken, type StoredToken } from '../../store.ts';
import { isSuspended, isValid, suspendedText } from '../../validity.ts';
import { insertAccessToken, requireScopes, type AccessTokenResponse } from '../access-tokens.ts';
import { endGrant } from '../revocation.ts';
import { OAuthError } from '../errors.ts';
import { findRefreshToken, insertRefreshToken, markUsed } from './store.ts';

/** Creates a refresh token of an authorization: its first one, or the one that replaces a used one. */
export async function createRefreshToken(transaction: Transaction, grantId: string): Promise<string> {
  const token = newBearerToken('refresh');
  await insertRefreshToken(transaction, { tokenHash: hashToken(token), grantId });
  return token;
}

const invalidGrant = (
  description = 'The token is not valid, was used before, has expired or was revoked.',
): OAuthError => new OAuthError('invalid_grant', description);

interface Refresh {
  readonly token: string;
  readonly clientId: string;
  /** Fewer scopes than were authorized; undefined for all. */
  readonly scope: string | undefined;
  /** What the access token is asked for. */
  readonly audience: Audience | null | undefined;
  readonly address: string;
}

/**
 * Replaces a refresh token (RFC 6749, section 6). If it was used before, the authorization ends with all its tokens (RFC 9700, section
 * 4.14.2): one of the two who have the token has stolen it. A client whose response was lost has to be authorized again: whoever listens
 * to a client can make it lose one. Throws `invalid_grant`, `invalid_scope`, `invalid_target` and `invalid_request`.
 */
export async function refreshTokens(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { token, clientId, scope, audience: asked, address }: Refresh,
): Promise<AccessTokenResponse> {
  if (kindOfToken(token) !== 'refresh') throw invalidGrant();
  const tokenHash = hashToken(token);
  const known = await findRefreshToken(database, tokenHash);
  const knownGrant = known && (await findToken(database, known.grantId));
  if (knownGrant === undefined) throw invalidGrant();
  const response = await database.write(async (transaction) => {
    await lockOrganization(transaction, knownGrant.organizationId);
    const now = clock();
    const row = await findRefreshToken(transaction, tokenHash);
    const grant = row && (await findToken(transaction, row.grantId));
    if (row === undefined || grant === undefined || !isOf(grant, clientId)) throw invalidGrant();
    if (isSuspended(grant, now)) throw invalidGrant(suspendedText);
    if (!isValid(grant, now)) throw invalidGrant();
    if ((await markUsed(transaction, tokenHash, timestamp(now))) === 0) {
      await endGrant(transaction, clock, grant, 'refresh_token_reused');
      // Not thrown here: the deletion is to be committed.
      return undefined;
    }
    const scopes = scope === undefined ? grant.scopes : requireScopes(scope, grant.scopes);
    const audience = narrowAudience(grant.audience, asked);
    await touchToken(transaction, { token: grant, at: timestamp(now), address });
    const access = await insertAccessToken(transaction, { parent: grant, scopes, audience, now, address });
    return { ...access, refresh_token: await createRefreshToken(transaction, grant.id) };
  });
  if (response === undefined) throw invalidGrant();
  return response;
}

/** Whether an authorization was given to a client, whose ID is in the column of the key. */
const isOf = ({ type, publicKey }: StoredToken, clientId: string): boolean =>
  type === 'authorization' && publicKey === clientId;
