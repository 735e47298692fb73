import { recordAudit } from '../../audit/audit.ts';
import { kindOfToken } from '../../base/credentials/bearer-tokens.ts';
import type { Clock } from '../../base/clock.ts';
import { hashToken } from '../../base/credentials/tokens.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { deleteToken, findToken, findTokenByHash, type StoredToken } from '../store.ts';
import { findRefreshToken } from './refresh/store.ts';

/** Why an authorization ended, although its person did not revoke it. */
type Reason = 'code_reused' | 'code_stolen' | 'refresh_token_reused' | 'by_program';

/** Ends an authorization with its tokens, in a transaction, and records why. */
export async function endGrant(
  transaction: Transaction,
  clock: Clock,
  { id, name, organizationId, userId }: StoredToken,
  reason: Reason,
): Promise<void> {
  await deleteToken(transaction, id);
  const details = { tokenId: id, name, userId, reason };
  await recordAudit(transaction, clock, { organizationId, action: 'token.revoked', details });
}

/**
 * Ends the authorization of a refresh token, or only an access token (RFC 7009, section 2.1). Having the token is enough. Nothing happens
 * for a token that is not valid: it is looked up before anything is written.
 */
export async function revokeOAuthToken(database: Database, clock: Clock, text: string): Promise<void> {
  const kind = kindOfToken(text);
  if (kind !== 'refresh' && kind !== 'access') return;
  const found = await findRevoked(database, kind, hashToken(text));
  if (found === undefined) return;
  await database.write(async (transaction) => {
    const token = await findToken(transaction, found.id);
    if (token === undefined) return;
    if (kind === 'access') await deleteToken(transaction, token.id);
    else await endGrant(transaction, clock, token, 'by_program');
  });
}

async function findRevoked(
  reader: Reader,
  kind: 'refresh' | 'access',
  tokenHash: string,
): Promise<StoredToken | undefined> {
  if (kind === 'access') {
    const token = await findTokenByHash(reader, tokenHash);
    return token?.type === 'access' ? token : undefined;
  }
  const refresh = await findRefreshToken(reader, tokenHash);
  return refresh && findToken(reader, refresh.grantId);
}
