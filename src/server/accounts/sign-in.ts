import type { Clock } from '../base/clock.ts';
import type { SecondFactorMethod } from '#contract/accounts/second-factor-proof.ts';
import { AtriumError } from '../base/errors.ts';
import { isPasswordUseless } from '../organizations/members.ts';
import { findAccount, lockAccount, toUser } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { recordFailedSignIn, type FailedSignIn, type Later } from './failed-sign-ins.ts';
import { passwordMatches } from './passwords.ts';
import { startRecordedSession } from '../sessions/recorded-session.ts';
import type { NewSession } from '../sessions/sessions.ts';
import { suspendSignIn } from './second-factor/pending-sign-in.ts';
import { listMethods } from './second-factor/proofs.ts';
import { limitAttempts, type SignInLimits } from './sign-in-limits.ts';

/** Dependencies of signing in. */
export interface SignInDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly signInLimits: SignInLimits;
  readonly publicUrl: string;
}

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly isForwarded?: boolean;
  readonly userAgent: string | undefined;
}

/** A sign-in that waits for a second factor, with the token for the cookie of the browser. */
export interface SuspendedSignIn {
  readonly pendingToken: string;
  readonly methods: readonly SecondFactorMethod[];
}

/**
 * Signs in with email and password, or suspends the sign-in if the account has a second factor. Throws `invalid_credentials`,
 * with the same message and after the same work whether or not the account exists, and `too_many_attempts`, which also applies
 * to accounts that don't exist. Failures of an existing account are recorded `later`.
 */
export async function signInByEmail(
  { database, clock, signInLimits: limits, publicUrl }: SignInDependencies,
  { password, userAgent, ...client }: SignInInput,
  later: Later,
): Promise<NewSession | SuspendedSignIn> {
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
      throw ssoRequired();
    }
    return database.write(async (transaction) => {
      // Changing the password ends all sessions, so none may be created with the old password at the same time.
      const { passwordHash } = await lockAccount(transaction, account.id);
      if (passwordHash !== account.passwordHash) throw wrongCredentials();
      const methods = await listMethods(transaction, account.id, publicUrl);
      if (methods.length > 0) {
        return { pendingToken: await suspendSignIn(transaction, clock, account.id), methods };
      }
      const origin = { method: 'password', address, userAgent } as const;
      return startRecordedSession(transaction, clock, toUser(account), origin);
    });
  });
}

const wrongCredentials = (): AtriumError =>
  new AtriumError('invalid_credentials', 'Incorrect email or password.');

/** Returns the error for a correct proof of an account whose organizations all require single sign-on. */
export const ssoRequired = (): AtriumError =>
  new AtriumError('sso_required', 'Your organization requires you to sign in through its directory.');
