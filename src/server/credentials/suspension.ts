import { recordAudit } from '../audit/audit.ts';
import type { Actor, SessionActor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { notFound } from '../base/errors.ts';
import { requirePermissionToChange } from '../organizations/authorization.ts';
import { lockSession } from '../sessions/locked-session.ts';
import type { Transaction } from '../storage/database.ts';
import { requirePersonalTokens } from './policy.ts';
import { findToken } from './store.ts';
import { endSuspensionOfToken, selectSuspendedTokens } from './suspension-store.ts';
import type { CredentialDependencies } from './tokens.ts';

/** Lets a token work again that a restore has suspended. Owner. Throws `confirmation_required` and `not_found`. */
export async function confirmOrganizationToken(
  { database, clock }: CredentialDependencies,
  actor: Actor,
  { organizationId, tokenId }: { readonly organizationId: string; readonly tokenId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'owner.manage');
    requireConfirmation(actor, clock);
    const token = await findToken(transaction, tokenId);
    if (token?.organizationId !== organizationId) throw notFound();
    await confirm(transaction, clock, actor, token);
  });
}

/** How many tokens are confirmed in one transaction, for which other writes wait. */
const confirmedAtOnce = 100;

/**
 * Lets all tokens of an organization work again that a restore has suspended. Owner. Returns how many there were. Throws
 * `confirmation_required`.
 */
export async function confirmAllOrganizationTokens(
  { database, clock }: CredentialDependencies,
  actor: Actor,
  organizationId: string,
): Promise<number> {
  for (let total = 0; ;) {
    const count = await database.write(async (transaction) => {
      await requirePermissionToChange(transaction, actor, organizationId, 'owner.manage');
      requireConfirmation(actor, clock);
      const tokens = await selectSuspendedTokens(transaction, { organizationId, limit: confirmedAtOnce });
      for (const token of tokens) await confirm(transaction, clock, actor, { ...token, organizationId });
      return tokens.length;
    });
    total += count;
    if (count < confirmedAtOnce) return total;
  }
}

/**
 * Lets one of the actor's personal tokens work again that a restore has suspended. It requires what creating a token does, so that it
 * gives nothing that the person could not get anyway. Throws `confirmation_required`, `not_found`, and `forbidden` if the
 * organization doesn't permit personal tokens.
 */
export async function confirmPersonalToken(
  { database, clock }: CredentialDependencies,
  actor: SessionActor,
  tokenId: string,
): Promise<void> {
  await database.write(async (transaction) => {
    await lockSession(transaction, actor);
    const token = await findToken(transaction, tokenId);
    if (token?.userId !== actor.userId) throw notFound();
    await requirePermissionToChange(transaction, actor, token.organizationId, 'organization.view');
    requireConfirmation(actor, clock);
    await requirePersonalTokens(transaction, token.organizationId);
    await confirm(transaction, clock, actor, token);
  });
}

async function confirm(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  {
    id: tokenId,
    name,
    userId,
    organizationId,
  }: Readonly<Record<'id' | 'name' | 'userId' | 'organizationId', string>>,
): Promise<void> {
  if ((await endSuspensionOfToken(transaction, tokenId)) === 0) return;
  const details = { tokenId, name, userId };
  await recordAudit(transaction, clock, { organizationId, action: 'token.confirmed', actor, details });
}
