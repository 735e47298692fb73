import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { getAccountRow } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { recordFailedSignIn, type Later } from './failed-sign-ins.ts';
import { passwordMatches } from './passwords.ts';
import { updateConfirmedAt } from './session-store.ts';
import { limitAttempts, type SignInLimits } from './sign-in-limits.ts';

/**
 * Notes that the person behind a session has just proven who they are, by the password of their account. Throws
 * `forbidden` for an account without one, `invalid_credentials` and, as signing in does, `too_many_attempts`.
 */
export async function confirmIdentity(
  { database, clock, signInLimits }: { database: Database; clock: Clock; signInLimits: SignInLimits },
  actor: Actor,
  { password, address }: { password: string; address: string },
  later: Later,
): Promise<void> {
  const account = await getAccountRow(database, actor.userId);
  const { email, passwordHash } = account;
  if (passwordHash === null) {
    throw new AtriumError(
      'forbidden',
      'This account has no password. Sign in again to confirm that it’s you.',
    );
  }
  await limitAttempts(signInLimits, { email, address }, async () => {
    if (!(await passwordMatches(passwordHash, password))) {
      const message = 'The password to confirm the person’s identity is wrong.';
      const failure = { code: 'wrong_password', message, address, account } as const;
      later(() => recordFailedSignIn(database, clock, signInLimits, failure));
      throw wrongPassword();
    }
    await database.write(async (transaction) => {
      // It may have been changed while it was checked.
      if ((await getAccountRow(transaction, actor.userId)).passwordHash !== passwordHash)
        throw wrongPassword();
      await updateConfirmedAt(transaction, actor.sessionId, timestamp(clock()));
    });
  });
}

const wrongPassword = (): AtriumError => new AtriumError('invalid_credentials', 'The password is wrong.');
