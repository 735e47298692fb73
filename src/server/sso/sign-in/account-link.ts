import { timestamp } from '../../base/clock.ts';
import { hashToken, newToken } from '../../base/credentials/tokens.ts';
import { findRoleOf } from '../../organizations/members.ts';
import { findAccount, type AccountRow } from '../../organizations/users.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import type { SignedInPerson } from '../protocol/provider/identity-provider.ts';
import { shallowClaims } from '../protocol/shallow-claims.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { insertAttempt, type SsoAttempt } from './attempt-store.ts';
import { attemptLifetimeMs, type SsoSignInDependencies } from './attempts.ts';
import type { SsoIdentity } from '../identity/identity.ts';
import { hasIdentity } from '../identity/store.ts';

/** The purpose that the claims and the token of a sign-in are sealed for while it waits for a password. */
export const personPurpose = 'sso-attempt-person';

/** Proof that someone knows the password of an account: the stored hash at the time of the check. */
export interface PasswordProof {
  readonly userId: string;
  readonly passwordHash: string | null;
}

/**
 * Returns the account that a new identity may belong to: that of a member with an address that the directory confirms,
 * which no identity of the configuration has yet. The address proves nothing by itself (nOAuth), so the account's
 * password is required.
 */
export async function findLinkableAccount(
  reader: Reader,
  { organizationId, ownerApproved }: { organizationId: string; ownerApproved: boolean },
  { key, email, isEmailVerified }: SsoIdentity,
): Promise<AccountRow | undefined> {
  if (key === undefined || email === undefined || !isEmailVerified) return undefined;
  const account = await findAccount(reader, email);
  const role = account && (await findRoleOf(reader, organizationId, account.id));
  // An admin could point the configuration at a provider of their own that claims that anyone is the owner.
  if (account === undefined || role === undefined || (role === 'owner' && !ownerApproved)) return undefined;
  return (await hasIdentity(reader, key.configurationId, account.id)) ? undefined : account;
}

/** Returns why an account can't be linked, or undefined if it can be once its password is entered. */
export const refusalToLink = ({ email, passwordHash }: AccountRow): SignInRefusal | undefined =>
  passwordHash !== null
    ? undefined
    : new SignInRefusal('link_refused', {
        message: `The account ${email} already exists. It has no password, so you can’t confirm that it’s yours.`,
        remedy:
          'Set a password for the account or ask an admin to remove it from the members, then sign in again.',
      });

/**
 * Suspends a sign-in until the password of the account to link is entered. Returns the token for the page that asks for
 * it. The attempt must be deleted before: it is stored again under that token.
 */
export async function awaitPassword(
  transaction: Transaction,
  { clock, secretBox }: Pick<SsoSignInDependencies, 'clock' | 'secretBox'>,
  attempt: SsoAttempt,
  { claims, idToken, refreshToken }: SignedInPerson,
  account: AccountRow,
): Promise<string> {
  const token = newToken();
  const person: SignedInPerson = { claims: shallowClaims(claims), idToken, refreshToken };
  await insertAttempt(transaction, {
    ...attempt,
    stateHash: hashToken(token),
    nonce: '',
    codeVerifier: '',
    claims: secretBox.seal(attempt.organizationId, personPurpose, JSON.stringify(person)),
    userId: account.id,
    expiresAt: timestamp(clock() + attemptLifetimeMs),
  });
  return token;
}
