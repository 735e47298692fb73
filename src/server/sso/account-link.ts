import { timestamp } from '../base/clock.ts';
import { hashToken, newToken } from '../base/tokens.ts';
import { findRoleOf } from '../organizations/members.ts';
import { findAccount, type AccountRow } from '../organizations/users.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import type { Claims } from './identity-provider.ts';
import { shallowClaims } from './shallow-claims.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { insertAttempt, type SsoAttempt } from './sso-attempt-store.ts';
import { attemptLifetimeMs, type SsoSignInNeeds } from './sso-attempts.ts';
import type { SsoIdentity } from './sso-identity.ts';
import { hasIdentity } from './sso-identity-store.ts';

/** What the claims of a sign-in that waits for a password are sealed for. */
export const claimsPurpose = 'sso-attempt-claims';

/** That somebody knows the password of an account: its hash when the password was checked. */
export interface PasswordProof {
  readonly userId: string;
  readonly passwordHash: string | null;
}

/**
 * Returns the account that an identity that is not known yet may belong to: a member's, with an address that the directory
 * vouches for, which no identity of the configuration has. The address alone proves nothing (nOAuth): the account's
 * password has to.
 */
export async function findLinkableAccount(
  reader: Reader,
  { organizationId, ownerApproved }: { organizationId: string; ownerApproved: boolean },
  { key, email, isEmailVerified }: SsoIdentity,
): Promise<AccountRow | undefined> {
  if (key === undefined || email === undefined || !isEmailVerified) return undefined;
  const account = await findAccount(reader, email);
  const role = account && (await findRoleOf(reader, organizationId, account.id));
  // An admin could point the configuration at a provider of theirs, which says of anybody to be the owner.
  if (account === undefined || role === undefined || (role === 'owner' && !ownerApproved)) return undefined;
  return (await hasIdentity(reader, key.configurationId, account.id)) ? undefined : account;
}

/** Returns why an account cannot be linked, or undefined when it can once its password is entered. */
export const refusalToLink = ({ email, passwordHash }: AccountRow): SignInRefusal | undefined =>
  passwordHash !== null
    ? undefined
    : new SignInRefusal('link_refused', {
        message: `The account ${email} already exists and has no password, so nobody can confirm that it is theirs.`,
        remedy:
          'Set a password for the account, or have an admin remove it from the members; then sign in again.',
      });

/**
 * Puts a sign-in off until the password of the account it would be linked to is entered. Returns the token that the page
 * for it needs. The attempt must be gone: it is stored again, under that token.
 */
export async function awaitPassword(
  transaction: Transaction,
  { clock, secretBox }: Pick<SsoSignInNeeds, 'clock' | 'secretBox'>,
  attempt: SsoAttempt,
  claims: Claims,
  account: AccountRow,
): Promise<string> {
  const token = newToken();
  await insertAttempt(transaction, {
    ...attempt,
    stateHash: hashToken(token),
    nonce: '',
    codeVerifier: '',
    claims: secretBox.seal(attempt.organizationId, claimsPurpose, JSON.stringify(shallowClaims(claims))),
    userId: account.id,
    expiresAt: timestamp(clock() + attemptLifetimeMs),
  });
  return token;
}
