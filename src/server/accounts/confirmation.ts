import type { SessionActor } from '../base/actor.ts';
import { timestamp } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { getAccountRow, lockAccount } from '../organizations/users.ts';
import type { Later } from './failed-sign-ins.ts';
import { withPassword, wrongPassword, type PasswordCheckDependencies } from './password-check.ts';
import { confirmSession } from '../sessions/sessions.ts';
import type { LimitedClient } from './sign-in-limits.ts';

/**
 * Records that the person of a session has just confirmed their identity with the password of their account. Throws
 * `forbidden` for an account without a password, `invalid_credentials` and, like signing in, `too_many_attempts`.
 */
export async function confirmIdentity(
  dependencies: PasswordCheckDependencies,
  actor: SessionActor,
  { password, client }: { password: string; client: LimitedClient },
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
  await withPassword(dependencies, account, { password, refusal, client }, later, () =>
    database.write(async (transaction) => {
      const { passwordHash } = await lockAccount(transaction, account.id);
      if (passwordHash !== account.passwordHash) throw wrongPassword();
      await confirmSession(transaction, actor.credential.id, timestamp(clock()));
    }),
  );
}
