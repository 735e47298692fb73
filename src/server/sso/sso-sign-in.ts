import { normalizeEmail } from '../base/email-address.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { endSessionsOfMember, type NewSession } from '../sessions/sessions.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { returnPath } from './return-path.ts';
import { admit } from './sso-admission.ts';
import { deleteAttemptsOfOrganization } from './sso-attempt-store.ts';
import {
  beginAttempt,
  isUsable,
  redeem,
  takeAttempt,
  type Callback,
  type SsoSignInNeeds,
  type StartedSignIn,
} from './sso-attempts.ts';
import { findSsoConfiguration, findSsoConfigurationById } from './sso-configuration-store.ts';
import { describeDomains, findRoutedOrganization } from './sso-domains.ts';
import { recordRefusal } from './sso-refusals.ts';
import { findBlockingReasons, findProtocolReasons } from './sso-status.ts';
import { runTest } from './sso-test-run.ts';
import { updateSsoTest } from './sso-test-store.ts';

/**
 * Returns where an e-mail address signs in. Only its domain is looked at, and no network is asked: the answer, and the
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
  input: { organizationId: string; returnTo?: string; loginHint?: string; browserToken: string | undefined },
): Promise<StartedSignIn> {
  const configuration = await findSsoConfiguration(needs.database, input.organizationId);
  if (configuration?.enabled !== true) throw notFound();
  const domains = await describeDomains(needs.database, input.organizationId, configuration.emailDomains);
  if (findBlockingReasons(configuration, domains).length > 0) {
    throw new AtriumError(
      'sign_in_refused',
      'This organization’s sign-in is not set up completely; its administrator sees in the status what is missing.',
    );
  }
  try {
    return await beginAttempt(needs, configuration, {
      returnTo: returnPath(input.returnTo),
      loginHint: normalizeEmail(input.loginHint ?? ''),
      browserToken: input.browserToken,
      testId: null,
    });
  } catch (error) {
    throw await recordRefusal(needs, configuration, error);
  }
}

/** A sign-in that ended well: with a new session, or with the result of a test, and where to go. */
export interface CompletedSignIn {
  readonly returnTo: string;
  readonly session: NewSession | undefined;
}

/**
 * Ends what a member who is removed has under way: the sessions that open the organization alone, and the sign-ins. Of
 * a sign-in it is not known yet whose it is, so all of the organization's begin anew.
 */
export async function endSignInsOfMember(
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<void> {
  await endSessionsOfMember(transaction, member);
  await deleteAttemptsOfOrganization(transaction, member.organizationId);
}

/**
 * Completes a sign-in. Throws `sign_in_expired` for what belongs to no sign-in of this browser that is under way, and
 * `sign_in_refused` for everything else, which the organization's status and audit log then tell too.
 */
export async function completeSignIn(needs: SsoSignInNeeds, callback: Callback): Promise<CompletedSignIn> {
  const { database } = needs;
  const state = callback.url.searchParams.get('state') ?? '';
  const attempt = await takeAttempt(needs, callback, state);
  const configuration = await findSsoConfigurationById(database, attempt.configurationId);
  if (!isUsable(configuration, attempt)) {
    throw new AtriumError(
      'sign_in_refused',
      'The configuration was changed or turned off meanwhile. Sign in again.',
    );
  }
  if (attempt.testId !== null) {
    const result = await runTest(needs, configuration, attempt, callback.url);
    await database.write((transaction) =>
      updateSsoTest(transaction, attempt.testId ?? '', JSON.stringify(result)),
    );
    return { returnTo: attempt.returnTo, session: undefined };
  }
  try {
    const claims = await redeem(needs, configuration, attempt, callback.url);
    const session = await database.write((transaction) =>
      admit(transaction, needs.clock, attempt, claims, callback),
    );
    return { returnTo: attempt.returnTo, session };
  } catch (error) {
    throw await recordRefusal(needs, configuration, error);
  }
}
