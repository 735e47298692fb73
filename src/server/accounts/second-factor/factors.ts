import type { SecondFactors } from '#contract/accounts/second-factors.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor, SessionActor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/confirmation.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../../base/recovery-codes.ts';
import { listOrganizationIdsOfUser } from '../../organizations/members.ts';
import { lockAccount, type AccountRow } from '../../organizations/users.ts';
import { endOtherSessions } from '../../sessions/sessions.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { requireOwnAccount } from '../account.ts';
import { deletePendingSignIns } from './pending-store.ts';
import { hasSecondFactor, wrongProof, type SecondFactorDependencies } from './proofs.ts';
import { appSecretPurpose, openAppSecret } from './secrets.ts';
import {
  completeSetUp,
  countRecoveryCodes,
  deleteApp,
  deleteRecoveryCodes,
  findApp,
  insertRecoveryCode,
  storeNewSecret,
} from './store.ts';
import { findStep, newAppSecret, type NewAppSecret } from './time-based-codes.ts';

/** Returns the second factors of the actor's account. */
export async function getSecondFactors(reader: Reader, actor: Actor): Promise<SecondFactors> {
  const { secret = null, createdAt = null } = (await findApp(reader, actor.userId)) ?? {};
  return {
    ...(secret !== null && createdAt !== null && { authenticatorApp: { createdAt } }),
    recoveryCodes: await countRecoveryCodes(reader, actor.userId),
  };
}

/**
 * Returns a new secret for an app, which has no effect until `confirmApp`. Throws `forbidden` for accounts that don't sign in with
 * a password, and `confirmation_required`.
 */
export async function startApp(
  { database, clock, secretBox }: SecondFactorDependencies,
  publicUrl: string,
  actor: SessionActor,
): Promise<NewAppSecret> {
  const { id: userId, email } = await requireChangeable(database, clock, actor);
  const created = await newAppSecret(email, new URL(publicUrl).host);
  const newSecret = secretBox.seal(userId, appSecretPurpose, created.secret);
  await database.write((transaction) => storeNewSecret(transaction, { userId, newSecret }));
  return created;
}

/** What a new second factor brought about. */
export interface AddedFactor {
  readonly email: string;
  readonly isFirst: boolean;
  readonly recoveryCodes: string[] | undefined;
  readonly endedSessions: number;
}

/**
 * Sets up the app whose secret `startApp` returned, replacing the one before. Throws `invalid_credentials` for a wrong code, `not_found` if
 * no secret waits for one, and the errors of `startApp`.
 */
export async function confirmApp(
  { database, clock, secretBox }: SecondFactorDependencies,
  actor: SessionActor,
  code: string,
): Promise<AddedFactor> {
  const { id: userId } = await requireChangeable(database, clock, actor);
  const newSecret = (await findApp(database, userId))?.newSecret ?? null;
  if (newSecret === null) throw notFound();
  const step = await findStep(openAppSecret(secretBox, userId, newSecret), code, clock());
  if (step === undefined) throw wrongProof();
  return database.write(async (transaction) => {
    const { email } = await lockAccount(transaction, userId);
    // Only the secret that the code was checked for is set up.
    if ((await findApp(transaction, userId))?.newSecret !== newSecret) throw notFound();
    const isFirst = !(await hasSecondFactor(transaction, userId));
    await completeSetUp(transaction, { userId, at: timestamp(clock()), step });
    return addFactor(transaction, clock, actor, {
      email,
      isFirst,
      action: 'account.authenticator_app_added',
    });
  });
}

/**
 * Completes adding a second factor. The first one ends the other sessions, so that every session with a password since then has
 * proven a second factor, or set it up.
 */
async function addFactor(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  { email, isFirst, action }: { email: string; isFirst: boolean; action: AuditAction },
): Promise<AddedFactor> {
  const { userId } = actor;
  const needsCodes = isFirst || (await countRecoveryCodes(transaction, userId)) === 0;
  const recoveryCodes = needsCodes ? await replaceCodes(transaction, clock, userId) : undefined;
  const endedSessions = isFirst ? await endOtherSessions(transaction, clock, actor) : 0;
  await recordInOrganizations(transaction, clock, actor, { action, details: { email, endedSessions } });
  return { email, isFirst, recoveryCodes, endedSessions };
}

/**
 * Removes the app; without any second factor, the recovery codes, too. Returns the address of the account. Throws `not_found`, and the
 * errors of `startApp`.
 */
export async function removeApp(
  { database, clock }: SecondFactorDependencies,
  actor: SessionActor,
): Promise<string> {
  const { id: userId } = await requireChangeable(database, clock, actor);
  return database.write(async (transaction) => {
    const { email } = await lockAccount(transaction, userId);
    if (!(await hasSecondFactor(transaction, userId))) throw notFound();
    await deleteAllFactors(transaction, userId);
    const details = { email };
    await recordInOrganizations(transaction, clock, actor, {
      action: 'account.authenticator_app_removed',
      details,
    });
    return email;
  });
}

/**
 * Returns ten new recovery codes, which replace the ones before. Throws `not_found` without a second factor, and the errors of
 * `startApp`.
 */
export async function replaceRecoveryCodes(
  { database, clock }: SecondFactorDependencies,
  actor: SessionActor,
): Promise<{ email: string; codes: string[] }> {
  const { id: userId } = await requireChangeable(database, clock, actor);
  return database.write(async (transaction) => {
    const { email } = await lockAccount(transaction, userId);
    if (!(await hasSecondFactor(transaction, userId))) throw notFound();
    const codes = await replaceCodes(transaction, clock, userId);
    const details = { email };
    await recordInOrganizations(transaction, clock, actor, {
      action: 'account.recovery_codes_created',
      details,
    });
    return { email, codes };
  });
}

/** Removes every second factor of an account, for the operator. Returns false if it has none. */
export function resetSecondFactors(database: Database, clock: Clock, userId: string): Promise<boolean> {
  return database.write(async (transaction) => {
    const { email } = await lockAccount(transaction, userId);
    if (!(await hasSecondFactor(transaction, userId))) return false;
    await deleteAllFactors(transaction, userId);
    for (const organizationId of await listOrganizationIdsOfUser(transaction, userId)) {
      const action = 'account.second_factors_reset';
      await recordAudit(transaction, clock, { organizationId, action, details: { userId, email } });
    }
    return true;
  });
}

async function deleteAllFactors(transaction: Transaction, userId: string): Promise<void> {
  await deleteApp(transaction, userId);
  await deleteRecoveryCodes(transaction, userId);
  await deletePendingSignIns(transaction, userId);
}

async function replaceCodes(transaction: Transaction, clock: Clock, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await deleteRecoveryCodes(transaction, userId);
  const at = timestamp(clock());
  for (const code of codes) {
    await insertRecoveryCode(transaction, { codeHash: hashRecoveryCode(code), userId, at });
  }
  return codes;
}

/** Returns the actor's account if its second factors can be changed. */
async function requireChangeable(reader: Reader, clock: Clock, actor: SessionActor): Promise<AccountRow> {
  const account = await requireOwnAccount(reader, actor);
  if (account.passwordHash === null) {
    throw new AtriumError('forbidden', 'This account has no password. You sign in through a directory.');
  }
  requireConfirmation(actor, clock);
  return account;
}

/** Records a change of the actor's account in the audit log of each organization that the person is a member of. */
async function recordInOrganizations(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  entry: { action: AuditAction; details: Readonly<Record<string, unknown>> },
): Promise<void> {
  for (const organizationId of await listOrganizationIdsOfUser(transaction, actor.userId)) {
    await recordAudit(transaction, clock, { organizationId, actor, ...entry });
  }
}
