import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { normalizeEmail } from '../base/email-address.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { endSessionsOfMember, type NewSession } from '../sessions/sessions.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { returnPath } from './return-path.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { admit } from './sso-admission.ts';
import { deleteAttemptsOfOrganization } from './sso-attempt-store.ts';
import {
  beginAttempt,
  isUsable,
  redeem,
  takeAttempt,
  toRelyingParty,
  type Callback,
  type SsoSignInNeeds,
  type StartedSignIn,
} from './sso-attempts.ts';
import {
  findSsoConfiguration,
  findSsoConfigurationById,
  type StoredSsoConfiguration,
} from './sso-configuration-store.ts';
import { describeDomains, findRoutedOrganization } from './sso-domains.ts';
import { recordFailure } from './sso-outcome-store.ts';
import { getStoredSsoPolicy } from './sso-policy-store.ts';
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
    throw await refused(needs, configuration, error);
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
    throw await refused(needs, configuration, error);
  }
}

/** The failures that are written down already: one that many sign-ins share is remembered by the provider's cache. */
const writtenDown = new WeakSet<Error>();

/**
 * Writes a refusal down for the organization's administrator, and returns what the person is told. A failure is written
 * down once: anybody can begin sign-ins, and would fill the audit log of an organization whose provider is down.
 */
async function refused(
  { database, clock }: SsoSignInNeeds,
  { organizationId }: StoredSsoConfiguration,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof SignInRefusal)) return error;
  const { code, remedy } = error;
  const message = await withExpiry(database, clock, organizationId, error);
  const failure = rootOf(error);
  if (!writtenDown.has(failure)) {
    writtenDown.add(failure);
    await database.write(async (transaction) => {
      await recordFailure(transaction, organizationId, timestamp(clock()), { code, message, remedy });
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'sign_in.refused',
        details: { code, message },
      });
    });
  }
  return new AtriumError('sign_in_refused', `${message} ${remedy}`, { cause: error });
}

const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

/** A provider that refuses the secret rarely says why; a date that was written down does. */
async function withExpiry(
  reader: Reader,
  clock: Clock,
  organizationId: string,
  { code, message }: SignInRefusal,
): Promise<string> {
  const { secretExpiresAt } = await getStoredSsoPolicy(reader, organizationId);
  const isAboutSecret = ['invalid_client', 'AADSTS7000215', 'AADSTS7000222'].includes(code);
  if (!isAboutSecret || secretExpiresAt === undefined || Date.parse(secretExpiresAt) > clock())
    return message;
  return `${message} The secret has expired on ${secretExpiresAt}.`;
}

/**
 * Returns where a browser signs out at the identity provider that a session came through (OpenID Connect RP-Initiated
 * Logout 1.0), or undefined when it came another way, or the provider offers nothing or does not answer.
 */
export async function findLogoutUrl(
  { database, secretBox, providers, publicUrl }: SsoSignInNeeds,
  actor: Actor,
): Promise<string | undefined> {
  if (actor.onlyOrganizationId === undefined) return undefined;
  const configuration = await findSsoConfiguration(database, actor.onlyOrganizationId);
  if (configuration === undefined || findProtocolReasons(configuration).length > 0) return undefined;
  try {
    return await providers.endSessionUrl(
      toRelyingParty(secretBox, publicUrl, configuration),
      `${publicUrl}/`,
    );
  } catch (error) {
    // The session here has ended; the provider's own is beyond reach.
    if (error instanceof SignInRefusal) return undefined;
    throw error;
  }
}
