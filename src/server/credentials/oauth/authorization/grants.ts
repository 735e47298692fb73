import type { TokenScope } from '#contract/scopes.ts';
import type { SessionActor } from '../../../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../../../base/clock.ts';
import { requireConfirmation } from '../../../base/credentials/confirmation.ts';
import { invalidBody } from '../../../base/errors.ts';
import { hashToken, newToken } from '../../../base/credentials/tokens.ts';
import { requirePermissionToChange } from '../../../organizations/authorization.ts';
import { lockSession } from '../../../sessions/locked-session.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { Audience } from '../../audience.ts';
import { requirePersonalTokens } from '../../policy.ts';
import { storeToken } from '../../tokens.ts';
import type { PublicClient } from '../clients/store.ts';

/** How long a person's authorization lasts, unless the organization requires less. */
const grantDays = 90;

interface Grant {
  readonly client: PublicClient;
  readonly organizationId: string;
  readonly scopes: TokenScope[];
  /** The scopes that the client asks for. */
  readonly asked: readonly TokenScope[];
  /** Where the scopes are in the body of the request. */
  readonly pointer: string;
  /** By default, the whole server. */
  readonly audience?: Audience | null;
}

/**
 * Stores that a person authorizes a client, and returns the ID of the authorization. Throws `not_found`, `forbidden` if the organization
 * doesn't permit personal tokens, `confirmation_required`, `too_many_tokens`, and `invalid_body` for scopes that it doesn't ask for.
 */
export async function storeGrant(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  { client, organizationId, scopes, asked, pointer, audience = null }: Grant,
): Promise<string> {
  if (!scopes.every((scope) => asked.includes(scope))) {
    throw invalidBody({ pointer, code: 'scope', message: 'must be among those that the program asks for' });
  }
  await lockSession(transaction, actor);
  await requirePermissionToChange(transaction, actor, organizationId, 'organization.view');
  requireConfirmation(actor, clock);
  const { maxDays } = await requirePersonalTokens(transaction, organizationId);
  const expiresAt = timestamp(clock() + daysMs(Math.min(grantDays, maxDays)));
  const grant = await storeToken(transaction, clock, actor, {
    userId: actor.userId,
    organizationId,
    input: { name: client.name, scopes, expiresAt },
    type: 'authorization',
    // Nothing has this hash: its refresh tokens are stored apart.
    tokenHash: hashToken(newToken()),
    publicKey: client.id,
    audience,
  });
  return grant.id;
}
