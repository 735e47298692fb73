import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { isPasswordUseless } from '../organizations/members.ts';
import { findAccount, lockAccount, toUser } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { recordFailedSignIn, type FailedSignIn, type Later } from './failed-sign-ins.ts';
import { passwordMatches } from './passwords.ts';
import { startRecordedSession } from '../sessions/recorded-session.ts';
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
 * Signs in with email and password. Throws `invalid_credentials`, with the same message and after the same work whether
 * or not the account exists, and `too_many_attempts`, which also applies to accounts that don't exist. Failures of an
 * existing account are recorded `later`.
 */
export async function signInByEmail(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  { password, userAgent, ...client }: SignInInput,
  later: Later,
): Promise<NewSession> {
  const { email, address } = client;
  return limitAttempts(limits, client, async () => {
    const account = await findAccount(database, email);
    const matches = await passwordMatches(account?.passwordHash, password);
    const record = (code: FailedSignIn['code'], message: string) =>
      later(() => recordFailedSignIn(database, clock, limits, { code, message, address, account }));
    if (account === undefined || !matches) {
      record('wrong_password', 'Incorrect password.');
      throw wrongCredentials();
    }
    if (await isPasswordUseless(database, account.id)) {
      record('sso_required', 'The password is correct, but the organization requires SSO.');
      throw new AtriumError(
        'sso_required',
        'Your organization requires you to sign in through its directory.',
      );
    }
    return database.write(async (transaction) => {
      // Changing the password ends all sessions, so none may be created with the old password at the same time.
      const { passwordHash } = await lockAccount(transaction, account.id);
      if (passwordHash !== account.passwordHash) throw wrongCredentials();
      const origin = { method: 'password', address, userAgent } as const;
      return startRecordedSession(transaction, clock, toUser(account), origin);
    });
  });
}

const wrongCredentials = (): AtriumError =>
  new AtriumError('invalid_credentials', 'Incorrect email or password.');
