import type { confirmIdentity as confirmIdentityRoute } from '#contract/accounts/sessions.ts';
import type { BodyOf } from '#contract/route.ts';
import type { SessionActor } from '../base/actor.ts';
import { timestamp } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { getAccountRow, lockAccount, type AccountRow } from '../organizations/users.ts';
import type { Later } from './failed-sign-ins.ts';
import { withPassword, wrongPassword } from './password-check.ts';
import {
  requireProofOf,
  requireSecondFactor,
  type SecondFactorDependencies,
} from './second-factor/proofs.ts';
import { confirmSession } from '../sessions/sessions.ts';
import type { LimitedClient } from './sign-in-limits.ts';

/** What the person entered, and the cookie that says which challenge a passkey signed. */
type Confirmation = BodyOf<typeof confirmIdentityRoute> & {
  readonly challengeToken: string | undefined;
  readonly client: LimitedClient;
};

/**
 * Records that the person of a session has just confirmed their identity: with a passkey, or with the password of their account and its
 * second factor if it has one. Throws `forbidden` for an account without a password, `second_factor_required`, `invalid_credentials`
 * and, like signing in, `too_many_attempts`.
 */
export async function confirmIdentity(
  dependencies: SecondFactorDependencies,
  actor: SessionActor,
  confirmation: Confirmation,
  later: Later,
): Promise<void> {
  const { database, clock } = dependencies;
  const account = await getAccountRow(database, actor.userId);
  if (account.passwordHash === null) {
    throw new AtriumError(
      'forbidden',
      'This account has no password. Sign in again to confirm that it’s you.',
    );
  }
  await requireProof(dependencies, account, confirmation, later);
  await database.write(async (transaction) => {
    const { passwordHash } = await lockAccount(transaction, account.id);
    if (passwordHash !== account.passwordHash) throw wrongPassword();
    await confirmSession(transaction, actor.credential.id, timestamp(clock()));
  });
}

async function requireProof(
  dependencies: SecondFactorDependencies,
  account: AccountRow,
  confirmation: Confirmation,
  later: Later,
): Promise<void> {
  const { challengeToken, client } = confirmation;
  const use = { challengeToken, purpose: 'confirm', client } as const;
  if ('assertion' in confirmation) {
    const secondFactor = { method: 'passkey', assertion: confirmation.assertion } as const;
    await requireProofOf(dependencies, account, { secondFactor, ...use }, later);
    return;
  }
  const { password, secondFactor } = confirmation;
  const refusal = 'The password to confirm the person’s identity is incorrect.';
  await withPassword(dependencies, account, { password, refusal, client }, later, async () => {});
  await requireSecondFactor(dependencies, account, { secondFactor, ...use }, later);
}
