import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import type { AccountRow } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { recordFailedSignIn, type Later } from './failed-sign-ins.ts';
import { passwordMatches } from './passwords.ts';
import { limitAttempts, type LimitedClient, type SignInLimits } from './sign-in-limits.ts';

/** Dependencies of checking a password. */
export interface PasswordCheckDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly signInLimits: SignInLimits;
}

/** The password that a person entered to prove that an account is theirs. */
export interface EnteredPassword {
  readonly password: string;
  readonly client: LimitedClient;
  /** The message in the audit log if it is wrong. */
  readonly refusal: string;
}

/**
 * Runs `work` only if the password of the account is correct, and returns its result. Wrong passwords count as failed
 * sign-ins, and are recorded `later`. Throws `invalid_credentials` and `too_many_attempts`. The password can change in
 * the meantime, so before `work` stores anything, it must check under the account's lock that the hash is the same.
 */
export function withPassword<Result>(
  { database, clock, signInLimits }: PasswordCheckDependencies,
  account: Pick<AccountRow, 'id' | 'email' | 'passwordHash'>,
  { password, refusal, client }: EnteredPassword,
  later: Later,
  work: () => Promise<Result>,
): Promise<Result> {
  const { id, email, passwordHash } = account;
  const { address, isForwarded } = client;
  return limitAttempts(signInLimits, { email, address, isForwarded }, async () => {
    if (await passwordMatches(passwordHash, password)) return work();
    const failure = { code: 'wrong_password', message: refusal, address, account: { id, email } } as const;
    later(() => recordFailedSignIn(database, clock, signInLimits, failure));
    throw wrongPassword();
  });
}

export const wrongPassword = (): AtriumError => new AtriumError('invalid_credentials', 'Incorrect password.');
