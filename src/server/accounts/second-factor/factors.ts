import type { SecondFactors } from '#contract/accounts/second-factors.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor, SessionActor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { listOrganizationIdsOfUser } from '../../organizations/members.ts';
import { lockAccount } from '../../organizations/users.ts';
import { lockSession } from '../../sessions/locked-session.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { requireOwnAccount } from '../account.ts';
import { listPasskeys } from '../passkeys/listing.ts';
import { deletePasskeys } from '../passkeys/store.ts';
import {
  addFactor,
  deleteWithoutFactor,
  recordInOrganizations,
  replaceCodes,
  requireChangeable,
  type AddedFactor,
} from './changes.ts';
import { hasSecondFactor } from '../../organizations/second-factors/requirement.ts';
import { wrongProof, type SecondFactorDependencies } from './proofs.ts';
import { appSecretPurpose, openAppSecret } from './secrets.ts';
import { completeSetUp, countRecoveryCodes, deleteApp, findApp, storeNewSecret } from './store.ts';
import { findStep, newAppSecret, type NewAppSecret } from './time-based-codes.ts';

/** Returns the second factors of the actor's account. Throws `forbidden` for a session from a directory, which must not see them. */
export async function getSecondFactors(
  reader: Reader,
  actor: Actor,
  publicUrl: string,
): Promise<SecondFactors> {
  await requireOwnAccount(reader, actor);
  const { secret = null, createdAt = null } = (await findApp(reader, actor.userId)) ?? {};
  return {
    ...(secret !== null && createdAt !== null && { authenticatorApp: { createdAt } }),
    passkeys: await listPasskeys(reader, actor.userId, publicUrl),
    recoveryCodes: await countRecoveryCodes(reader, actor.userId),
  };
}

/**
 * Returns a new secret for an app, which has no effect until `confirmApp`. Throws `forbidden` for accounts that don't sign in with
 * a password, and `confirmation_required`.
 */
export async function startApp(
  { database, clock, secretBox, publicUrl }: SecondFactorDependencies,
  actor: SessionActor,
): Promise<NewAppSecret> {
  const { id: userId, email } = await requireChangeable(database, clock, actor);
  const created = await newAppSecret(email, new URL(publicUrl).host);
  const newSecret = secretBox.seal(userId, appSecretPurpose, created.secret);
  await database.write((transaction) => storeNewSecret(transaction, { userId, newSecret }));
  return created;
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
    const { email } = await lockSession(transaction, actor);
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
 * Removes the app; without any second factor, the recovery codes, too. Returns the address of the account. Throws `not_found`, and the
 * errors of `startApp`.
 */
export async function removeApp(
  { database, clock }: SecondFactorDependencies,
  actor: SessionActor,
): Promise<string> {
  const { id: userId } = await requireChangeable(database, clock, actor);
  return database.write(async (transaction) => {
    const { email } = await lockSession(transaction, actor);
    const app = await findApp(transaction, userId);
    if ((app?.secret ?? null) === null) throw notFound();
    await deleteApp(transaction, userId);
    await deleteWithoutFactor(transaction, userId);
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
    const { email } = await lockSession(transaction, actor);
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
    await deleteApp(transaction, userId);
    await deletePasskeys(transaction, userId);
    await deleteWithoutFactor(transaction, userId);
    for (const organizationId of await listOrganizationIdsOfUser(transaction, userId)) {
      const action = 'account.second_factors_reset';
      await recordAudit(transaction, clock, { organizationId, action, details: { userId, email } });
    }
    return true;
  });
}
