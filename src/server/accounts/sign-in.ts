import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { isPasswordOfNoUse } from '../organizations/members.ts';
import { findAccount, lockAccount, toUser } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { recordFailedSignIn, type FailedSignIn, type Later } from './failed-sign-ins.ts';
import { passwordMatches } from './passwords.ts';
import { beginRecordedSession } from '../sessions/recorded-session.ts';
import type { NewSession } from '../sessions/sessions.ts';
import { limitAttempts, type SignInLimits } from './sign-in-limits.ts';

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly isForwarded?: boolean;
  readonly userAgent: string | undefined;
}

/**
 * Signs in by email and password. Throws `invalid_credentials`, alike and after the same work whether there is
 * such an account or not, and `too_many_attempts`, which an account that does not exist reaches as well.
 * Failures of an account that exists are written down `later`.
 */
export async function signInByEmail(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  { password, userAgent, ...who }: SignInInput,
  later: Later,
): Promise<NewSession> {
  const { email, address } = who;
  return limitAttempts(limits, who, async () => {
    const account = await findAccount(database, email);
    const matches = await passwordMatches(account?.passwordHash, password);
    const record = (code: FailedSignIn['code'], message: string) =>
      later(() => recordFailedSignIn(database, clock, limits, { code, message, address, account }));
    if (account === undefined || !matches) {
      record('wrong_password', 'The password is wrong.');
      throw wrongCredentials();
    }
    if (await isPasswordOfNoUse(database, account.id)) {
      record('sso_required', 'The password is right, and opens nothing: the directory is required.');
      throw new AtriumError(
        'sso_required',
        'Your organization asks its members to sign in through its directory.',
      );
    }
    return database.write(async (transaction) => {
      // Changing the password ends all sessions, so none may be created with the old password at the same time.
      const { passwordHash } = await lockAccount(transaction, account.id);
      if (passwordHash !== account.passwordHash) throw wrongCredentials();
      const origin = { method: 'password', address, userAgent } as const;
      return beginRecordedSession(transaction, clock, toUser(account), origin);
    });
  });
}

const wrongCredentials = (): AtriumError =>
  new AtriumError('invalid_credentials', 'The email or the password is wrong.');
