import { normalizeEmail } from '../../base/texts/email-address.ts';
import { notFound } from '../../base/errors.ts';
import type { EndedMembership } from '../../organizations/ended-membership.ts';
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
  type SsoSignInDependencies,
  type StartedSignIn,
} from './attempts.ts';
import {
  findSsoConfigurationById,
  selectConfigurations,
  type StoredSsoConfiguration,
} from '../configuration/store.ts';
import { findProvenDomains, findRoutedConfiguration } from '../domains/domains.ts';
import { forgetRolesOfMember } from '../identity/store.ts';
import { readIdentity, type SsoIdentity } from '../identity/identity.ts';
import { recordRefusal } from './refusals.ts';
import { findBlockingReasons, findProtocolReasons } from '../configuration/reasons.ts';
import { completeTest } from '../test/run.ts';

/**
 * Returns where an email address signs in. Only its domain matters, and no network request is made, so the response and
 * the time it takes are the same whether or not the account exists.
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
  const configurationId = domain === undefined ? undefined : await findRoutedConfiguration(reader, domain);
  const configuration =
    configurationId === undefined ? undefined : await findSsoConfigurationById(reader, configurationId);
  if (
    configuration?.enabled !== true ||
    domain === undefined ||
    !configuration.emailDomains.includes(domain) ||
    findProtocolReasons(configuration).length > 0
  ) {
    return { method: 'password', url: `${publicUrl}/sign-in?${query.toString()}` };
  }
  if (!configuration.isFirst) query.set('connection', configuration.id);
  return {
    method: 'sso',
    url: `${publicUrl}/api/sso/start/${configuration.organizationId}?${query.toString()}`,
  };
}

/**
 * Starts a sign-in at an identity provider of an organization: `connection`, or else the one that an address routes to, or the
 * first one that is on. Throws `not_found` both for an unknown organization and for one without an enabled configuration, and
 * `sign_in_refused` if the configuration can't be used.
 */
export async function startSignIn(
  dependencies: SsoSignInDependencies,
  input: {
    organizationId: string;
    connection?: string | undefined;
    returnTo?: string;
    loginHint?: string;
    prompt?: 'login';
    browserToken: string | undefined;
    address: string;
  },
): Promise<StartedSignIn> {
  const configuration = await findConfigurationToStart(dependencies.database, input);
  if (configuration === undefined) throw notFound();
  const { organizationId, id, version } = configuration;
  const provenDomains = await findProvenDomains(dependencies.database, configuration);
  try {
    if (findBlockingReasons(configuration, provenDomains).length > 0) throw notSetUp();
    return await beginAttempt(dependencies, configuration, {
      returnTo: returnPath(input.returnTo),
      loginHint: normalizeEmail(input.loginHint ?? ''),
      isLoginForced: input.prompt === 'login',
      browserToken: input.browserToken,
      testId: null,
    });
  } catch (error) {
    const origin = { organizationId, configurationId: id, version, address: input.address };
    throw await recordRefusal(dependencies, origin, error);
  }
}

async function findConfigurationToStart(
  reader: Reader,
  input: { organizationId: string; connection?: string | undefined; loginHint?: string },
): Promise<StoredSsoConfiguration | undefined> {
  const all = await selectConfigurations(reader, input.organizationId);
  const enabled = all.filter((configuration) => configuration.enabled);
  if (input.connection !== undefined) return enabled.find(({ id }) => id === input.connection);
  if (enabled.length < 2) return enabled[0];
  const domain = normalizeEmail(input.loginHint ?? '')?.split('@')[1];
  const routed = domain === undefined ? undefined : await findRoutedConfiguration(reader, domain);
  return enabled.find(({ id }) => id === routed) ?? enabled[0];
}

/** A `CallbackRefusal`, since the status already shows what is missing. */
const notSetUp = (): CallbackRefusal =>
  new CallbackRefusal('configuration_incomplete', {
    message: 'Single sign-on is not fully set up for this organization.',
    remedy: 'An owner or admin can see what is missing in the SSO status.',
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
 * Ends the sessions of a removed member that are limited to the organization, and cancels sign-ins. It is not known yet
 * who a sign-in belongs to, so all of the organization's are cancelled. Leaving does not cancel them: someone could join
 * and leave again and again, and nobody else could sign in.
 */
export async function endSignInsOfMember(transaction: Transaction, member: EndedMembership): Promise<void> {
  await endSessionsOfMember(transaction, member);
  await forgetRolesOfMember(transaction, member);
  // People who become an owner again create new ones.
  await deleteRecoveryCodes(transaction, member);
  if (!member.left) await deleteAttemptsOfOrganization(transaction, member.organizationId);
}

/**
 * Completes a sign-in. Throws `sign_in_expired` if this browser has no such sign-in in progress, `too_many_attempts`,
 * and `sign_in_refused` for everything else, which is also recorded in the organization's status and audit log.
 */
export async function completeSignIn(
  dependencies: SsoSignInDependencies,
  callback: Callback,
): Promise<CompletedSignIn> {
  const { database } = dependencies;
  const state = callback.url.searchParams.get('state') ?? '';
  const attempt = await takeAttempt(dependencies, callback, state);
  if (attempt.testId !== null) {
    await completeTest(dependencies, attempt, callback.url);
    return { returnTo: attempt.returnTo, session: undefined, waitsForPassword: false };
  }
  const { organizationId, configurationId, configurationVersion: version } = attempt;
  let asserted: Pick<SsoIdentity, 'email' | 'isEmailVerified'> | undefined;
  try {
    const configuration = requireUsable(await findSsoConfigurationById(database, configurationId), attempt);
    const provenDomains = await findProvenDomains(database, configuration);
    const person = await limitExchanges(
      dependencies.signInLimits,
      { organizationId, address: callback.address },
      () => redeem(dependencies, configuration, attempt, callback.url),
    );
    asserted = readIdentity(configuration, provenDomains, person.claims);
    const admission = await database.write((transaction) =>
      admit(transaction, dependencies, attempt, person, callback),
    );
    return 'linkToken' in admission
      ? { returnTo: linkPage(admission.linkToken), session: undefined, waitsForPassword: true }
      : { returnTo: attempt.returnTo, session: admission.session, waitsForPassword: false };
  } catch (error) {
    const origin = { organizationId, configurationId, version, address: callback.address, ...asserted };
    throw await recordRefusal(dependencies, origin, error);
  }
}
