import type { SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import type { SessionActor } from '../base/actor.ts';
import { timestamp } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { getAccountRow, lockAccount } from '../organizations/users.ts';
import type { Later } from './failed-sign-ins.ts';
import { withPassword, wrongPassword } from './password-check.ts';
import { requireSecondFactor, type SecondFactorDependencies } from './second-factor/proofs.ts';
import { confirmSession } from '../sessions/sessions.ts';
import type { LimitedClient } from './sign-in-limits.ts';

/**
 * Records that the person of a session has just confirmed their identity with the password of their account, and its second factor
 * if it has one. Throws `forbidden` for an account without a password, `second_factor_required`, `invalid_credentials` and, like
 * signing in, `too_many_attempts`.
 */
export async function confirmIdentity(
  dependencies: SecondFactorDependencies,
  actor: SessionActor,
  {
    password,
    secondFactor,
    client,
  }: { password: string; secondFactor?: SecondFactorProof; client: LimitedClient },
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
  const refusal = 'The password to confirm the person’s identity is incorrect.';
  await withPassword(dependencies, account, { password, refusal, client }, later, async () => {});
  await requireSecondFactor(dependencies, account, { secondFactor, client }, later);
  await database.write(async (transaction) => {
    const { passwordHash } = await lockAccount(transaction, account.id);
    if (passwordHash !== account.passwordHash) throw wrongPassword();
    await confirmSession(transaction, actor.credential.id, timestamp(clock()));
  });
}
