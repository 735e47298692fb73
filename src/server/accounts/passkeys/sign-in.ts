import type { PasskeyAssertion } from '#contract/accounts/passkey-assertion.ts';
import { AtriumError } from '../../base/errors.ts';
import { isPasswordUseless } from '../../organizations/members.ts';
import { findAccountById, lockAccount, toUser } from '../../organizations/users.ts';
import { startRecordedSession } from '../../sessions/recorded-session.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import {
  recordFailedSignIn,
  wrongPasskeyMessage,
  type FailedSignIn,
  type Later,
} from '../failed-sign-ins.ts';
import { limitCodes, type LimitedClient } from '../sign-in-limits.ts';
import { ssoRequired, type SignInDependencies } from '../sign-in.ts';
import { checkAssertion, useUpAssertion } from './assertions.ts';
import { findPasskey } from './store.ts';

/**
 * Signs in with a passkey only. Throws `invalid_credentials`, with the same message whether or not the passkey exists, `sso_required`,
 * `sign_in_refused` and `too_many_attempts`. Failures of an existing account are recorded `later`.
 */
export async function signInByPasskey(
  dependencies: SignInDependencies,
  {
    assertion,
    challengeToken,
    client,
  }: {
    assertion: PasskeyAssertion;
    challengeToken: string | undefined;
    client: LimitedClient & { userAgent: string | undefined };
  },
  later: Later,
): Promise<NewSession> {
  const { database, clock, signInLimits } = dependencies;
  const { address, userAgent } = client;
  const passkey = await findPasskey(database, assertion.id);
  const account = passkey && (await findAccountById(database, passkey.userId));
  // A signature can't be guessed, so there is no limit per account, by which others could lock the person out.
  return limitCodes(signInLimits, { email: account?.email ?? assertion.id, ...client }, async () => {
    const record = (code: FailedSignIn['code'], message: string) =>
      later(() => recordFailedSignIn(database, clock, signInLimits, { code, message, address, account }));
    const refuse = (): never => {
      record('wrong_passkey', wrongPasskeyMessage);
      throw wrongPasskey();
    };
    const use = { purpose: 'sign_in', userId: undefined, address } as const;
    const checked = await checkAssertion(dependencies, { assertion, challengeToken, ...use });
    // An account without a password signs in through a directory only.
    if (checked === undefined || account === undefined || account.passwordHash === null) return refuse();
    if (await isPasswordUseless(database, account.id)) {
      record('sso_required', 'The passkey is valid, but the organization requires SSO.');
      throw ssoRequired();
    }
    const session = await database.write(async (transaction) => {
      // Changing the password ends all sessions, and none that began before it may follow.
      const { passwordHash } = await lockAccount(transaction, account.id);
      if (passwordHash !== account.passwordHash) return undefined;
      if (!(await useUpAssertion(transaction, clock, checked))) return undefined;
      const origin = { method: 'passkey', address, userAgent } as const;
      const details = { passkey: checked.passkey.name };
      return startRecordedSession(transaction, clock, toUser(account), origin, details);
    });
    return session ?? refuse();
  });
}

const wrongPasskey = (): AtriumError =>
  new AtriumError(
    'invalid_credentials',
    'This passkey does not work here: it was removed, it took longer than five minutes, or it was already used. Try again, or sign in with your email.',
  );
