import { normalizeEmail } from '../../base/email-address.ts';
import { notFound } from '../../base/errors.ts';
import type { EndedMembership } from '../../organizations/members.ts';
import { endSessionsOfMember, type NewSession } from '../../sessions/sessions.ts';
import { limitExchanges } from '../../accounts/sign-in-limits.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { deleteRecoveryCodes } from '../recovery/store.ts';
import { CallbackRefusal } from '../protocol/sign-in-refusal.ts';
import { returnPath } from './return-path.ts';
import { admit } from './admission.ts';
import { deleteAttemptsOfOrganization } from './attempt-store.ts';
import {
  beginAttempt,
  redeem,
  requireUsable,
  takeAttempt,
  type Callback,
  type SsoSignInNeeds,
  type StartedSignIn,
} from './attempts.ts';
import { findSsoConfiguration, findSsoConfigurationById } from '../configuration/store.ts';
import { findProvenDomains, findRoutedOrganization } from '../domains/domains.ts';
import { readIdentity, type SsoIdentity } from './identity.ts';
import { recordRefusal } from './refusals.ts';
import { findBlockingReasons, findProtocolReasons } from '../configuration/reasons.ts';
import { completeTest } from '../test/run.ts';

/**
 * Returns where an email address signs in. Only its domain is looked at, and no network is asked: the answer, and the
 * time it takes, are the same whether there is such an account or not.
 */
export async function findSignIn(
  reader: Reader,
  publicUrl: string,
  input: { email: string; returnTo?: string },
): Promise<{ method: 'sso' | 'password'; url: string }> {
  const email = normalizeEmail(input.email);
  const query = new URLSearchParams({
    returnTo: returnPath(input.returnTo),
    ...(email !== undefined && { loginHint: email }),
  });
  const domain = email?.split('@')[1];
  const organizationId = domain === undefined ? undefined : await findRoutedOrganization(reader, domain);
  const configuration =
    organizationId === undefined ? undefined : await findSsoConfiguration(reader, organizationId);
  if (
    configuration?.enabled !== true ||
    domain === undefined ||
    !configuration.emailDomains.includes(domain) ||
    findProtocolReasons(configuration).length > 0
  ) {
    return { method: 'password', url: `${publicUrl}/sign-in?${query.toString()}` };
  }
  return {
    method: 'sso',
    url: `${publicUrl}/api/sso/start/${configuration.organizationId}?${query.toString()}`,
  };
}

/**
 * Begins a sign-in at an organization's identity provider. Throws `not_found` alike for an unknown organization and
 * for one without an enabled configuration, and `sign_in_refused` when that cannot be used.
 */
export async function startSignIn(
  needs: SsoSignInNeeds,
  input: {
    organizationId: string;
    returnTo?: string;
    loginHint?: string;
    prompt?: 'login';
    browserToken: string | undefined;
    address: string;
  },
): Promise<StartedSignIn> {
  const configuration = await findSsoConfiguration(needs.database, input.organizationId);
  if (configuration?.enabled !== true) throw notFound();
  const { organizationId, id, version, emailDomains } = configuration;
  const provenDomains = await findProvenDomains(needs.database, organizationId, emailDomains);
  try {
    if (findBlockingReasons(configuration, provenDomains).length > 0) throw notSetUp();
    return await beginAttempt(needs, configuration, {
      returnTo: returnPath(input.returnTo),
      loginHint: normalizeEmail(input.loginHint ?? ''),
      isLoginForced: input.prompt === 'login',
      browserToken: input.browserToken,
      testId: null,
    });
  } catch (error) {
    const origin = { organizationId, configurationId: id, version, address: input.address };
    throw await recordRefusal(needs, origin, error);
  }
}

/** The status tells what is missing, whether somebody tries to sign in or not. */
const notSetUp = (): CallbackRefusal =>
  new CallbackRefusal('configuration_incomplete', {
    message: 'This organization’s sign-in is not set up completely.',
    remedy: 'Its administrator sees in the status what is missing.',
  });

/** A sign-in that succeeded at the directory, and the page to show next. */
export interface CompletedSignIn {
  readonly returnTo: string;
  /** Undefined for a test, and for a sign-in that waits for the password of the account to link. */
  readonly session: NewSession | undefined;
  readonly waitsForPassword: boolean;
}

/** The page that asks for the password of an account to link. The token is after `#`, so that no server logs it. */
const linkPage = (token: string): string => `/sign-in/link#${token}`;

/**
 * Ends what a member who is removed has under way: the sessions that open the organization alone, and the sign-ins. Of
 * a sign-in it is not known yet whose it is, so all of the organization's begin anew; but not for one who leaves, and who
 * could come back and leave again until nobody else comes in.
 */
export async function endSignInsOfMember(transaction: Transaction, member: EndedMembership): Promise<void> {
  await endSessionsOfMember(transaction, member);
  // People who become an owner again create new ones.
  await deleteRecoveryCodes(transaction, member);
  if (!member.left) await deleteAttemptsOfOrganization(transaction, member.organizationId);
}

/**
 * Completes a sign-in. Throws `sign_in_expired` for what belongs to no sign-in of this browser that is under way, and
 * `sign_in_refused` for everything else, which the organization's status and audit log then tell too, and
 * `too_many_attempts`.
 */
export async function completeSignIn(needs: SsoSignInNeeds, callback: Callback): Promise<CompletedSignIn> {
  const { database } = needs;
  const state = callback.url.searchParams.get('state') ?? '';
  const attempt = await takeAttempt(needs, callback, state);
  if (attempt.testId !== null) {
    await completeTest(needs, attempt, callback.url);
    return { returnTo: attempt.returnTo, session: undefined, waitsForPassword: false };
  }
  const { organizationId, configurationId, configurationVersion: version } = attempt;
  let asserted: Pick<SsoIdentity, 'email' | 'isEmailVerified'> | undefined;
  try {
    const configuration = requireUsable(await findSsoConfigurationById(database, configurationId), attempt);
    const provenDomains = await findProvenDomains(database, organizationId, configuration.emailDomains);
    const claims = await limitExchanges(
      needs.signInLimits,
      { organizationId, address: callback.address },
      () => redeem(needs, configuration, attempt, callback.url),
    );
    asserted = readIdentity(configuration, provenDomains, claims);
    const admission = await database.write((transaction) =>
      admit(transaction, needs, attempt, claims, callback),
    );
    return 'linkToken' in admission
      ? { returnTo: linkPage(admission.linkToken), session: undefined, waitsForPassword: true }
      : { returnTo: attempt.returnTo, session: admission.session, waitsForPassword: false };
  } catch (error) {
    const origin = { organizationId, configurationId, version, address: callback.address, ...asserted };
    throw await recordRefusal(needs, origin, error);
  }
}
