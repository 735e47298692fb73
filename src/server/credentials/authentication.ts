import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../base/actor.ts';
import { kindOfToken, type TokenKind } from '../base/credentials/bearer-tokens.ts';
import { minutesMs, timestamp, type Clock } from '../base/clock.ts';
import { invalidToken } from '../base/credentials/invalid-token.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import { closedTo, readAddresses } from '../organizations/networks/networks.ts';
import { missingIn } from '../organizations/second-factors/requirement.ts';
import { recordSeen } from '../organizations/last-seen/last-seen.ts';
import type { Database, Reader } from '../storage/database.ts';
import { isFor, type Target } from './audience.ts';
import { findCheckedToken, selectTokensById, touchToken, type CheckedToken } from './store.ts';
import { isSuspended, isValid, satisfiesSso, suspendedText } from './validity.ts';

/** The kinds that are sent with requests. */
const sentKinds: ReadonlySet<TokenKind> = new Set(['personal', 'serviceAccount', 'access']);

/** How far the recorded last use may lag behind, so that not every request writes. */
const touchEveryMs = minutesMs(5);
const maxRecordingWaitMs = 1_000;

/**
 * Returns the actor of a bearer token that was sent by a client to a part of the server, or undefined if the token is not valid there.
 * Throws `unauthenticated` with the reason for a token that a restore has suspended. The address of the client is only read when the use is recorded, or a policy restricts addresses.
 */
export type AuthenticateToken = (
  token: string,
  client: { readonly ip: string },
  target: Target,
) => Promise<Actor | undefined>;

/**
 * Returns the function that finds the actor of a token. The membership, role, account and policy that apply are those at the time of
 * the request.
 */
export function createTokenAuthentication({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): AuthenticateToken {
  const touching = new Set<string>();

  /** Never fails, and waits only a moment, so that reads work while writes fail; the database itself reports the fault. */
  async function recordUse(token: CheckedToken, address: string, now: number): Promise<void> {
    const { id } = token;
    if (touching.has(id)) return;
    touching.add(id);
    const recorded = database
      .write(async (transaction) => {
        await touchToken(transaction, { token, at: timestamp(now), address });
        await recordSeen(transaction, token, timestamp(now));
      })
      .catch(() => undefined)
      .finally(() => touching.delete(id));
    await Promise.race([recorded, delay(maxRecordingWaitMs, undefined, { ref: false })]);
  }

  return async (text, client, target) => {
    const kind = kindOfToken(text);
    if (kind === undefined || !sentKinds.has(kind)) return undefined;
    const token = await findCheckedToken(database, hashToken(text));
    const now = clock();
    if (token === undefined || kindOf(token) !== kind || !isFor(token.audience, target)) return undefined;
    if (!isValid(token, now)) {
      if (isSuspended(token, now)) throw invalidToken(suspendedText);
      return undefined;
    }
    if (token.lastUsedAt === null || now - Date.parse(token.lastUsedAt) >= touchEveryMs)
      await recordUse(token, client.ip, now);
    return toActor(token, now, client);
  };
}

function kindOf({ type, isServiceAccount }: CheckedToken): TokenKind | undefined {
  if (type === 'access') return 'access';
  if (type !== 'bearer') return undefined;
  return isServiceAccount ? 'serviceAccount' : 'personal';
}

const toActor = (token: CheckedToken, now: number, client: { readonly ip: string }): Actor => ({
  userId: token.userId,
  credential: { kind: 'token', id: token.id, scopes: token.scopes },
  scope: { organizationId: token.organizationId },
  satisfiesSso: satisfiesSso(token, now),
  ...missingIn([token]),
  ...closedTo(client, [{ ...token, addresses: readAddresses(token.addresses) }]),
});

/** Returns which of these tokens are still valid. This does not count as a use of them. */
export async function findValidTokens(
  reader: Reader,
  clock: Clock,
  ids: readonly string[],
): Promise<Set<string>> {
  const now = clock();
  const tokens = await selectTokensById(reader, ids);
  return new Set(tokens.filter((token) => isValid(token, now)).map(({ id }) => id));
}
