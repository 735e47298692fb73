import { may } from '#shared/permissions.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { normalizeEmail } from '../../base/texts/email-address.ts';
import { AtriumError } from '../../base/errors.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../../base/credentials/recovery-codes.ts';
import { requirePermissionToChangeSso } from '../permission.ts';
import { findRoleOf } from '../../organizations/members.ts';
import { findAccount, getUser } from '../../organizations/users.ts';
import { recordFailedSignIn, type Later } from '../../accounts/failed-sign-ins.ts';
import { startRecordedSession } from '../../sessions/recorded-session.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import { limitCodes, type SignInLimits } from '../../accounts/sign-in-limits.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { deleteRecoveryCode, deleteRecoveryCodes, findRecoveryCode, insertRecoveryCode } from './store.ts';

/**
 * Creates ten recovery codes for the actor, an owner, replacing their earlier ones. Returns the codes, of which only
 * hashes are stored. Throws `confirmation_required`.
 */
export function createRecoveryCodes(
  database: Database,
  clock: Clock,
  actor: Actor,
  organizationId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  return database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId, 'sso.recover');
    requireConfirmation(actor, clock);
    await deleteRecoveryCodes(transaction, { organizationId, userId: actor.userId });
    for (const code of codes) {
      await insertRecoveryCode(transaction, {
        codeHash: hashRecoveryCode(code),
        organizationId,
        userId: actor.userId,
        at: timestamp(clock()),
      });
    }
    await recordAudit(transaction, clock, { organizationId, action: 'sso.recovery_codes.created', actor });
    return codes;
  });
}

/** Signs an owner in with a code, which works once. Throws `invalid_credentials`, `too_many_attempts`. */
export async function signInByRecoveryCode(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  input: RecoverySignIn,
  later: Later,
): Promise<NewSession> {
  const { email, address } = input;
  return limitCodes(limits, { email, address }, async () => {
    const session = await database.write((transaction) => useRecoveryCode(transaction, clock, input));
    if (session !== undefined) return session;
    later(() => recordWrongCode(database, clock, limits, input));
    throw new AtriumError('invalid_credentials', 'Incorrect email or code, or the code was already used.');
  });
}

export interface RecoverySignIn {
  readonly email: string;
  readonly code: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Returns the session of an owner with a valid code, or undefined. */
async function useRecoveryCode(
  transaction: Transaction,
  clock: Clock,
  input: RecoverySignIn,
): Promise<NewSession | undefined> {
  const { address, userAgent } = input;
  const codeHash = hashRecoveryCode(input.code);
  const found = await findRecoveryCode(transaction, codeHash);
  if (found === undefined) return undefined;
  const { organizationId, userId } = found;
  // A code works only for the person who created it, as long as they are an owner.
  if (!may(await findRoleOf(transaction, organizationId, userId), 'sso.recover')) return undefined;
  const owner = await getUser(transaction, userId);
  if (normalizeEmail(input.email) !== owner.email) return undefined;
  if (!(await deleteRecoveryCode(transaction, codeHash))) return undefined;
  const origin = { method: 'recovery_code', organizationId, address, userAgent } as const;
  return startRecordedSession(transaction, clock, owner, origin);
}

async function recordWrongCode(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  { email, code, address }: RecoverySignIn,
): Promise<void> {
  const found = await findRecoveryCode(database, hashRecoveryCode(code));
  await recordFailedSignIn(database, clock, limits, {
    code: 'wrong_recovery_code',
    message: 'The recovery code is incorrect or was already used.',
    address,
    account: await findAccount(database, email),
    organizationId: found?.organizationId,
  });
}
