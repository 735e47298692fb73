import type { SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import { timestamp } from '../../base/clock.ts';
import { hashToken, isToken } from '../../base/credentials/tokens.ts';
import { findOrganizationName } from '../../organizations/organizations.ts';
import { getAccountRow } from '../../organizations/users.ts';
import type { Later } from '../../accounts/failed-sign-ins.ts';
import { withPassword } from '../../accounts/password-check.ts';
import { requestPasskey, type PasskeyRequest } from '../../accounts/passkeys/assertions.ts';
import { requireSecondFactor } from '../../accounts/second-factor/proofs.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import type { LimitedClient } from '../../accounts/sign-in-limits.ts';
import { personPurpose } from './account-link.ts';
import type { SignedInPerson } from '../protocol/provider/identity-provider.ts';
import { admit } from './admission.ts';
import { findPendingLink, type PendingLink } from './attempt-store.ts';
import { signInExpired, type SsoSignInDependencies } from './attempts.ts';
import { recordRefusal } from './refusals.ts';

/** A browser whose sign-in waits for a password. */
interface WaitingBrowser {
  readonly token: string;
  readonly browserToken: string | undefined;
}

/** Returns the account that a sign-in would be linked to. Throws `sign_in_expired`. */
export async function readPendingLink(
  dependencies: SsoSignInDependencies,
  browser: WaitingBrowser,
): Promise<{ email: string; name: string; organizationName: string }> {
  const { organizationId, userId } = await getPendingLink(dependencies, browser);
  const { email, name } = await getAccountRow(dependencies.database, userId);
  const organizationName = await findOrganizationName(dependencies.database, organizationId, userId);
  if (organizationName === undefined) throw signInExpired();
  return { email, name, organizationName };
}

/**
 * Returns the options with which the browser asks for a passkey of the account to link. Throws `sign_in_expired`, and `forbidden` if this
 * server can't have passkeys.
 */
export async function requestLinkPasskey(
  dependencies: SsoSignInDependencies,
  browser: WaitingBrowser,
): Promise<PasskeyRequest> {
  const { userId } = await getPendingLink(dependencies, browser);
  // Their names would say that the account has passkeys, which only those who know the password may learn.
  return requestPasskey(dependencies, { purpose: 'link', userId, namesPasskeys: false });
}

/**
 * Completes a sign-in that waits for the password of the account to link, and its second factor if it has one, after checking
 * everything again. Throws `second_factor_required`, `invalid_credentials` and `too_many_attempts` like signing in with that
 * password, and the errors of completing a sign-in.
 */
export async function confirmLink(
  dependencies: SsoSignInDependencies,
  {
    password,
    secondFactor,
    challengeToken,
    client,
    ...browser
  }: WaitingBrowser & {
    password: string;
    secondFactor?: SecondFactorProof;
    challengeToken: string | undefined;
    client: LimitedClient & { userAgent: string | undefined };
  },
  later: Later,
): Promise<{ returnTo: string; session: NewSession }> {
  const { database } = dependencies;
  const { address, userAgent } = client;
  const attempt = await getPendingLink(dependencies, browser);
  const person = openPerson(dependencies, attempt);
  const account = await getAccountRow(database, attempt.userId);
  const { id: userId, email, passwordHash } = account;
  const refusal = 'The password to link the account to the directory is incorrect.';
  await withPassword(dependencies, account, { password, refusal, client }, later, async () => {});
  // Otherwise, the password would be enough to sign in to the account from then on.
  await requireSecondFactor(
    dependencies,
    account,
    { secondFactor, challengeToken, purpose: 'link', client },
    later,
  );
  const proven = { address, userAgent, proof: { userId, passwordHash } };
  try {
    const admission = await database.write((transaction) =>
      admit(transaction, dependencies, attempt, person, proven),
    );
    if ('linkToken' in admission) throw signInExpired();
    return { returnTo: attempt.returnTo, session: admission.session };
  } catch (error) {
    const { organizationId, configurationId, configurationVersion: version } = attempt;
    throw await recordRefusal(
      dependencies,
      { organizationId, configurationId, version, address, email },
      error,
    );
  }
}

/** Only the browser that started the sign-in can read or complete it; a request from another one changes nothing. */
async function getPendingLink(
  { database, clock }: SsoSignInDependencies,
  { token, browserToken }: WaitingBrowser,
): Promise<PendingLink> {
  if (browserToken === undefined || !isToken(token)) throw signInExpired();
  const attempt = await findPendingLink(database, hashToken(token), timestamp(clock()));
  if (attempt?.browserHash !== hashToken(browserToken)) throw signInExpired();
  return attempt;
}

/** If the root key was removed since, the sign-in has expired. */
function openPerson(
  { secretBox }: SsoSignInDependencies,
  { organizationId, claims }: PendingLink,
): SignedInPerson {
  try {
    // Sound because only `awaitPassword` seals it.
    return JSON.parse(secretBox.open(organizationId, personPurpose, claims)) as SignedInPerson;
  } catch (error) {
    throw signInExpired(error);
  }
}
