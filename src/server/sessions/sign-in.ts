import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { isPasswordOfNoUse } from '../organizations/members.ts';
import { findAccount, toUser } from '../organizations/users.ts';
import type { Database } from '../storage/database.ts';
import { passwordMatches } from './passwords.ts';
import { beginSession, type NewSession } from './sessions.ts';
import { limitAttempts, type SignInLimits } from './sign-in-limits.ts';

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/**
 * Signs in by e-mail and password. Throws `invalid_credentials`, alike and after the same work whether there is
 * such an account or not, and `too_many_attempts`, which an account that does not exist reaches as well.
 */
export async function signInByEmail(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  { email, password, address, userAgent }: SignInInput,
): Promise<NewSession> {
  return limitAttempts(limits, { email, address }, async () => {
    const account = await findAccount(database, email);
    const matches = await passwordMatches(account?.passwordHash, password);
    if (account === undefined || !matches) {
      throw new AtriumError('invalid_credentials', 'The e-mail or the password is wrong.');
    }
    if (await isPasswordOfNoUse(database, account.id)) {
      throw new AtriumError(
        'sso_required',
        'Your organization asks its members to sign in through its directory.',
      );
    }
    return database.write((transaction) =>
      beginSession(transaction, clock, toUser(account), { method: 'password', address, userAgent }),
    );
  });
}
