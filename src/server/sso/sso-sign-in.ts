import type { Role } from '#contract/organizations.ts';
import type { User } from '#contract/sessions.ts';
import type { SsoCheck, SsoTest } from '#contract/sso-sign-in.ts';
import { recordAudit } from '../audit/audit.ts';
import { minutesMs, timestamp, type Clock } from '../base/clock.ts';
import { normalizeEmail } from '../base/email-address.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { hashToken, isToken, newToken } from '../base/tokens.ts';
import { applyRole, findRoleOf, lockOrganization } from '../organizations/members.ts';
import { createUser, findAccount, refreshUser, toUser } from '../organizations/users.ts';
import { beginSession, type NewSession } from '../sessions/sessions.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import type { Claims, IdentityProviders, RelyingParty } from './identity-provider.ts';
import { returnPath } from './return-path.ts';
import { mapRole } from './role-mapping.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { deleteAttempt, findAttempt, insertAttempt, type SsoAttempt } from './sso-attempt-store.ts';
import { findSsoConfiguration, findSsoConfigurationById, type StoredSsoConfiguration } from './sso-configuration-store.ts';
import { secretPurpose } from './sso-configurations.ts';
import { describeDomains, findRoutedOrganization } from './sso-domains.ts';
import { checkIdentity, readIdentity, shownClaims } from './sso-identity.ts';
import { findIdentityUser, hasIdentity, insertIdentity } from './sso-identity-store.ts';
import { recordFailure, recordSuccess } from './sso-outcome-store.ts';
import { getStoredSsoPolicy } from './sso-policy-store.ts';
import { findBlockingReasons, redirectUriOf } from './sso-status.ts';
import { updateSsoTest } from './sso-test-store.ts';

const attemptLifetimeMs = minutesMs(10);
const attemptPurpose = 'sso-attempt';

export interface SsoSignInNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly providers: IdentityProviders;
  readonly publicUrl: string;
}

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
  const query = new URLSearchParams({ returnTo: returnPath(input.returnTo), ...(email !== undefined && { loginHint: email }) });
  const domain = email?.split('@')[1];
  const organizationId = domain === undefined ? undefined : await findRoutedOrganization(reader, domain);
  const configuration = organizationId === undefined ? undefined : await findSsoConfiguration(reader, organizationId);
  if (configuration?.enabled !== true || domain === undefined || !configuration.emailDomains.includes(domain)) {
    return { method: 'password', url: `${publicUrl}/sign-in?${query.toString()}` };
  }
  return { method: 'sso', url: `${publicUrl}/api/sso/start/${configuration.organizationId}?${query.toString()}` };
}

/** Where a browser is to be sent, and the token of the cookie that binds the sign-in to it. */
export interface StartedSignIn {
  readonly url: string;
  readonly browserToken: string;
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

/** Sends a browser on its way with a configuration that can be used. Throws `SignInRefusal`. */
export async function beginAttempt(
  { database, clock, secretBox, providers, publicUrl }: SsoSignInNeeds,
  configuration: StoredSsoConfiguration,
  input: { returnTo: string; loginHint: string | undefined; browserToken: string | undefined; testId: string | null },
): Promise<StartedSignIn> {
  const binding = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
  // One cookie serves the attempts of several tabs.
  const browserToken = input.browserToken !== undefined && isToken(input.browserToken) ? input.browserToken : newToken();
  const party = toRelyingParty(secretBox, publicUrl, configuration);
  const url = await providers.authorizationUrl(party, binding, input.loginHint);
  const { organizationId, id, version } = configuration;
  await database.write((transaction) =>
    insertAttempt(transaction, {
      stateHash: hashToken(binding.state),
      organizationId,
      configurationId: id,
      configurationVersion: version,
      browserHash: hashToken(browserToken),
      nonce: binding.nonce,
      codeVerifier: secretBox.seal(organizationId, attemptPurpose, binding.codeVerifier),
      returnTo: input.returnTo,
      testId: input.testId,
      expiresAt: timestamp(clock() + attemptLifetimeMs),
    }),
  );
  return { url, browserToken };
}

/** A sign-in that ended well: with a new session, or with the result of a test, and where to go. */
export interface CompletedSignIn {
  readonly returnTo: string;
  readonly session: NewSession | undefined;
}

export interface Callback {
  readonly configurationId: string;
  /** Whatever its host says: only its parameters count. */
  readonly url: URL;
  readonly browserToken: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
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
    throw new AtriumError('sign_in_refused', 'The configuration was changed or turned off meanwhile. Sign in again.');
  }
  if (attempt.testId !== null) {
    const result = await runTest(needs, configuration, attempt, callback.url, state);
    await database.write((transaction) => updateSsoTest(transaction, attempt.testId ?? '', JSON.stringify(result)));
    return { returnTo: attempt.returnTo, session: undefined };
  }
  try {
    const claims = await redeem(needs, configuration, attempt, callback.url, state);
    const session = await database.write((transaction) => admit(needs, transaction, attempt, claims, callback));
    return { returnTo: attempt.returnTo, session };
  } catch (error) {
    throw await refused(needs, configuration, error);
  }
}

/** Takes the attempt of a state, once, for the browser and the configuration that it began with. */
async function takeAttempt({ database, clock }: SsoSignInNeeds, callback: Callback, state: string): Promise<SsoAttempt> {
  const expired = new AtriumError('sign_in_expired', 'This sign-in is not under way in this browser, or was completed. Sign in again.');
  const browserHash = hashToken(callback.browserToken ?? '');
  const attempt = await findAttempt(database, hashToken(state), timestamp(clock()));
  // Another browser learns nothing, and spoils nothing.
  if (attempt?.browserHash !== browserHash || attempt.configurationId !== callback.configurationId) throw expired;
  const isTaken = await database.write((transaction) => deleteAttempt(transaction, attempt.stateHash));
  if (!isTaken) throw expired;
  return attempt;
}

/** A test runs with what is stored; a sign-in only with what is enabled. Neither with what has changed since it began. */
function isUsable(
  configuration: StoredSsoConfiguration | undefined,
  attempt: SsoAttempt,
): configuration is StoredSsoConfiguration {
  if (configuration?.version !== attempt.configurationVersion) return false;
  return configuration.enabled || attempt.testId !== null;
}

function redeem(
  { secretBox, providers, publicUrl }: SsoSignInNeeds,
  configuration: StoredSsoConfiguration,
  attempt: SsoAttempt,
  callbackUrl: URL,
  state: string,
): Promise<Claims> {
  const codeVerifier = secretBox.open(attempt.organizationId, attemptPurpose, attempt.codeVerifier);
  const party = toRelyingParty(secretBox, publicUrl, configuration);
  return providers.redeem(party, { state, nonce: attempt.nonce, codeVerifier }, callbackUrl);
}

/** Lets a person in: everything is looked at again, in the transaction that makes the session. */
async function admit(
  { clock }: SsoSignInNeeds,
  transaction: Transaction,
  attempt: SsoAttempt,
  claims: Claims,
  { address, userAgent }: Callback,
): Promise<NewSession> {
  const { organizationId } = attempt;
  await lockOrganization(transaction, organizationId);
  const configuration = await findSsoConfiguration(transaction, organizationId);
  if (!isUsable(configuration, attempt)) {
    throw new SignInRefusal('configuration_changed', {
      message: 'The configuration was changed or turned off during a sign-in.',
      remedy: 'Sign in again.',
    });
  }
  const failed = checkIdentity(configuration, await findProvenDomains(transaction, configuration), claims).find(({ passed }) => !passed);
  const { key, email, ownEmail, name } = readIdentity(configuration, claims);
  if (failed !== undefined || key === undefined || email === undefined) {
    throw new SignInRefusal(`${failed?.code ?? 'identity'}_refused`, {
      message: failed?.message ?? '',
      remedy: failed?.remedy ?? '',
    });
  }
  const user = await findOrCreateUser(transaction, clock, { organizationId, key, email, ownEmail, name: name ?? email });
  const role = await assignRole(transaction, clock, organizationId, user.id, claims);
  const session = await beginSession(transaction, clock, user, { method: 'sso', organizationId, address, userAgent });
  const now = timestamp(clock());
  await recordSuccess(transaction, organizationId, now, `${user.email} signed in as ${role}.`);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sign_in.succeeded',
    actor: { userId: user.id, sessionId: session.session.id },
    details: { email: user.email, role, address },
  });
  return session;
}

async function findProvenDomains(reader: Reader, { organizationId, emailDomains }: StoredSsoConfiguration): Promise<string[]> {
  const domains = await describeDomains(reader, organizationId, emailDomains);
  return domains.filter(({ state }) => state === 'proven').map(({ domain }) => domain);
}

/**
 * Returns the user of an identity. At the first sign-in that is a member's account with the very address that the
 * directory vouches for, if no other identity has it, and else a new account.
 */
async function findOrCreateUser(
  transaction: Transaction,
  clock: Clock,
  input: {
    organizationId: string;
    key: { configurationId: string; issuer: string; subject: string };
    email: string;
    ownEmail: string | undefined;
    name: string;
  },
): Promise<User> {
  const { organizationId, key, email, name } = input;
  const known = await findIdentityUser(transaction, key);
  if (known !== undefined) return refreshUser(transaction, clock, { id: known, email, name });
  const user =
    (await findLinkableAccount(transaction, input)) ??
    (await createUser(transaction, clock, { email, name, passwordHash: null, organizationId }));
  await insertIdentity(transaction, { ...key, organizationId, userId: user.id, at: timestamp(clock()) });
  return user;
}

async function findLinkableAccount(
  reader: Reader,
  { organizationId, key, email, ownEmail }: { organizationId: string; key: { configurationId: string }; email: string; ownEmail: string | undefined },
): Promise<User | undefined> {
  if (ownEmail !== email) return undefined;
  const account = await findAccount(reader, email);
  if (account === undefined || (await findRoleOf(reader, organizationId, account.id)) === undefined) return undefined;
  return (await hasIdentity(reader, key.configurationId, account.id)) ? undefined : toUser(account);
}

async function assignRole(
  transaction: Transaction,
  clock: Clock,
  organizationId: string,
  userId: string,
  claims: Claims,
): Promise<Role> {
  const policy = await getStoredSsoPolicy(transaction, organizationId);
  const mapped = mapRole(policy, claims).role;
  const role = mapped ?? (await findRoleOf(transaction, organizationId, userId)) ?? policy.defaultRole;
  return applyRole(transaction, clock, { organizationId, userId, role });
}

/** Does all that a sign-in does, and lets nobody in. */
async function runTest(
  needs: SsoSignInNeeds,
  configuration: StoredSsoConfiguration,
  attempt: SsoAttempt,
  callbackUrl: URL,
  state: string,
): Promise<Omit<SsoTest, 'id' | 'state' | 'createdAt'>> {
  const { database, secretBox, providers, publicUrl } = needs;
  const checks: SsoCheck[] = [];
  try {
    const discovery = await providers.discover(toRelyingParty(secretBox, publicUrl, configuration));
    checks.push({ code: 'discovery', passed: true, message: `The discovery document is of ${discovery.issuer}.` });
    const claims = await redeem(needs, configuration, attempt, callbackUrl, state);
    checks.push({ code: 'token', passed: true, message: 'The ID token is signed by the provider, and is for this sign-in.' });
    checks.push(...checkIdentity(configuration, await findProvenDomains(database, configuration), claims));
    const { key, email } = readIdentity(configuration, claims);
    const policy = await getStoredSsoPolicy(database, attempt.organizationId);
    const { role, isOverage } = mapRole(policy, claims);
    if (isOverage) {
      checks.push({
        code: 'groups',
        passed: false,
        message: 'The person is in too many groups, so Entra leaves them out; a member keeps the role there is.',
        remedy: 'Map app roles instead of groups, or send only the groups assigned to the application.',
      });
    }
    const known = key === undefined ? undefined : await findIdentityUser(database, key);
    const present = known === undefined ? undefined : await findRoleOf(database, attempt.organizationId, known);
    return {
      checks,
      discovery,
      claims: shownClaims(claims),
      ...(key !== undefined && { identity: { issuer: key.issuer, subject: key.subject } }),
      ...(email !== undefined && { email }),
      role: role ?? present ?? policy.defaultRole,
    };
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    return { checks: [...checks, { code: error.code, passed: false, message: error.message, remedy: error.remedy }] };
  }
}

/** Writes a refusal down for the organization's administrator, and returns what the person is told. */
async function refused(
  { database, clock }: SsoSignInNeeds,
  { organizationId }: StoredSsoConfiguration,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof SignInRefusal)) return error;
  const { code, remedy } = error;
  const message = await withExpiry(database, clock, organizationId, error);
  await database.write(async (transaction) => {
    await recordFailure(transaction, organizationId, timestamp(clock()), { code, message, remedy });
    await recordAudit(transaction, clock, { organizationId, action: 'sign_in.refused', details: { code, message } });
  });
  return new AtriumError('sign_in_refused', `${message} ${remedy}`, { cause: error });
}

/** A provider that refuses the secret rarely says why; a date that was written down does. */
async function withExpiry(reader: Reader, clock: Clock, organizationId: string, { code, message }: SignInRefusal): Promise<string> {
  const { secretExpiresAt } = await getStoredSsoPolicy(reader, organizationId);
  const isAboutSecret = ['invalid_client', 'AADSTS7000215', 'AADSTS7000222'].includes(code);
  if (!isAboutSecret || secretExpiresAt === undefined || Date.parse(secretExpiresAt) > clock()) return message;
  return `${message} The secret has expired on ${secretExpiresAt}.`;
}

/** Returns the configuration as the protocol needs it. Its secret has been made sure of. */
export function toRelyingParty(secretBox: SecretBox, publicUrl: string, configuration: StoredSsoConfiguration): RelyingParty {
  const { id, organizationId, version, clientId, clientSecret, discoveryUrl, tenantId } = configuration;
  return {
    configurationId: id,
    version,
    clientId,
    clientSecret: clientSecret === undefined ? '' : secretBox.open(organizationId, secretPurpose, clientSecret),
    discoveryUrl,
    tenantId,
    redirectUri: redirectUriOf(publicUrl, id),
  };
}
