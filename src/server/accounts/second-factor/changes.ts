import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { SessionActor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { AtriumError } from '../../base/errors.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../../base/credentials/recovery-codes.ts';
import { listOrganizationIdsOfUser } from '../../organizations/members.ts';
import type { AccountRow } from '../../organizations/users.ts';
import { endOtherSessions } from '../../sessions/sessions.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { requireOwnAccount } from '../account.ts';
import { deletePendingSignIns } from './pending-store.ts';
import { hasSecondFactor } from '../../organizations/second-factors/requirement.ts';
import { countRecoveryCodes, deleteRecoveryCodes, insertRecoveryCode } from './store.ts';

/** What a new second factor brought about. */
export interface AddedFactor {
  readonly email: string;
  readonly isFirst: boolean;
  readonly recoveryCodes: string[] | undefined;
  readonly endedSessions: number;
}

/**
 * Completes adding a second factor. The first one ends the other sessions, so that every session with a password since then has
 * proven a second factor, or set it up.
 */
export async function addFactor(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  {
    email,
    isFirst,
    action,
    details,
  }: { email: string; isFirst: boolean; action: AuditAction; details?: Readonly<Record<string, unknown>> },
): Promise<AddedFactor> {
  const { userId } = actor;
  const needsCodes = isFirst || (await countRecoveryCodes(transaction, userId)) === 0;
  const recoveryCodes = needsCodes ? await replaceCodes(transaction, clock, userId) : undefined;
  const endedSessions = isFirst ? await endOtherSessions(transaction, clock, actor) : 0;
  await recordInOrganizations(transaction, clock, actor, {
    action,
    details: { email, ...details, endedSessions },
  });
  return { email, isFirst, recoveryCodes, endedSessions };
}

/** Deletes the recovery codes and the pending sign-ins of an account whose last second factor was removed. */
export async function deleteWithoutFactor(transaction: Transaction, userId: string): Promise<void> {
  // An organization that requires a second factor ends the streams of the person's dashboards.
  transaction.announce(userId);
  if (await hasSecondFactor(transaction, userId)) return;
  await deleteRecoveryCodes(transaction, userId);
  await deletePendingSignIns(transaction, userId);
}

/** Replaces the recovery codes of an account by ten new ones, and returns them. */
export async function replaceCodes(
  transaction: Transaction,
  clock: Clock,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  await deleteRecoveryCodes(transaction, userId);
  const at = timestamp(clock());
  for (const code of codes) {
    await insertRecoveryCode(transaction, { codeHash: hashRecoveryCode(code), userId, at });
  }
  return codes;
}

/** Returns the actor's account if its second factors can be changed. */
export async function requireChangeable(
  reader: Reader,
  clock: Clock,
  actor: SessionActor,
): Promise<AccountRow> {
  const account = await requireOwnAccount(reader, actor);
  if (account.passwordHash === null) {
    throw new AtriumError('forbidden', 'This account has no password. You sign in through a directory.');
  }
  requireConfirmation(actor, clock);
  return account;
}

/** Records a change of the actor's account in the audit log of each organization that the person is a member of. */
export async function recordInOrganizations(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  entry: { action: AuditAction; details: Readonly<Record<string, unknown>> },
): Promise<void> {
  for (const organizationId of await listOrganizationIdsOfUser(transaction, actor.userId)) {
    await recordAudit(transaction, clock, { organizationId, actor, ...entry });
  }
}
