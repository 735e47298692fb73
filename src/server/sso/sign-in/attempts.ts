import { minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import { hashToken, isToken, newToken } from '../../base/credentials/tokens.ts';
import type { SignInLimits } from '../../accounts/sign-in-limits.ts';
import type { Database } from '../../storage/database.ts';
import type { IdentityProviders, SignedInPerson } from '../protocol/provider/identity-provider.ts';
import type { RelyingParty } from '../protocol/relying-party.ts';
import {
  deleteAttemptsOfBrowser,
  findAttempt,
  insertAttempt,
  useUpAttempt,
  type SsoAttempt,
} from './attempt-store.ts';
import { findMissingClaims } from '../identity/missing-claims.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { openClientKey } from '../certificates/keys.ts';
import { openClientSecret } from '../configuration/client-secrets.ts';
import { redirectUriOf } from '../configuration/status.ts';
import type { ClientCredentials } from '../configuration/states.ts';

/** How long a sign-in may take at the directory, and then until the password of an account to link is entered. */
export const attemptLifetimeMs = minutesMs(10);
const verifierPurpose = 'sso-attempt';
const noncePurpose = 'sso-attempt-nonce';

/** Dependencies of signing in through a directory. */
export interface SsoSignInDependencies extends ClientCredentials {
  readonly database: Database;
  readonly clock: Clock;
  readonly providers: IdentityProviders;
  readonly publicUrl: string;
  readonly signInLimits: SignInLimits;
}

export interface Callback {
  readonly configurationId: string;
  /** Only its parameters are used, never its host. */
  readonly url: URL;
  readonly browserToken: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Where to send the browser, and the token of the cookie that binds the sign-in to it. */
export interface StartedSignIn {
  readonly url: string;
  readonly browserToken: string;
}

/** Starts a sign-in with a configuration that can be used. Throws `SignInRefusal`. */
export async function beginAttempt(
  dependencies: SsoSignInDependencies,
  configuration: StoredSsoConfiguration,
  input: {
    returnTo: string;
    loginHint: string | undefined;
    /** Whether people have to sign in again even if they are signed in there. */
    isLoginForced: boolean;
    browserToken: string | undefined;
    testId: string | null;
  },
): Promise<StartedSignIn> {
  const { database, clock, secretBox, providers } = dependencies;
  const binding = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
  // One cookie serves the attempts of several tabs.
  const browserToken =
    input.browserToken !== undefined && isToken(input.browserToken) ? input.browserToken : newToken();
  const party = toRelyingParty(dependencies, configuration);
  const { revalidateMinutes } = await getStoredSsoPolicy(database, configuration);
  const options = { ...input, isCheckedAgain: revalidateMinutes > 0 };
  const url = await providers.authorizationUrl(party, binding, options);
  const { organizationId, id, version } = configuration;
  await database.write((transaction) =>
    insertAttempt(transaction, {
      stateHash: hashToken(binding.state),
      organizationId,
      configurationId: id,
      configurationVersion: version,
      browserHash: hashToken(browserToken),
      nonce: secretBox.seal(organizationId, noncePurpose, binding.nonce),
      codeVerifier: secretBox.seal(organizationId, verifierPurpose, binding.codeVerifier),
      returnTo: input.returnTo,
      testId: input.testId,
      expiresAt: timestamp(clock() + attemptLifetimeMs),
      claims: null,
      userId: null,
    }),
  );
  return { url, browserToken };
}

/**
 * Takes the attempt of a state, once, for the browser and the configuration that it started with. Throws
 * `sign_in_expired`.
 */
export async function takeAttempt(
  { database, clock }: SsoSignInDependencies,
  callback: Callback,
  state: string,
): Promise<SsoAttempt> {
  const browserHash = hashToken(callback.browserToken ?? '');
  const attempt = await findAttempt(database, hashToken(state), timestamp(clock()));
  // A request from another browser gets no information and changes nothing.
  if (attempt?.browserHash !== browserHash || attempt.configurationId !== callback.configurationId)
    throw signInExpired();
  const isTaken = await database.write((transaction) => useUpAttempt(transaction, attempt.stateHash));
  if (!isTaken) throw signInExpired();
  return attempt;
}

/** Cancels the sign-ins of a browser, in all its tabs. */
export async function endAttemptsOfBrowser(database: Database, browserToken: string): Promise<void> {
  await database.write((transaction) => deleteAttemptsOfBrowser(transaction, hashToken(browserToken)));
}

/**
 * Returns the configuration of an attempt. It must not have changed since the attempt started; unless the attempt is a
 * test, it must also be enabled. Throws `SignInRefusal`.
 */
export function requireUsable(
  configuration: StoredSsoConfiguration | undefined,
  attempt: SsoAttempt,
): StoredSsoConfiguration {
  // Versions are unique only within a configuration, so its id is compared as well.
  if (
    configuration?.id === attempt.configurationId &&
    configuration.version === attempt.configurationVersion &&
    (configuration.enabled || attempt.testId !== null)
  ) {
    return configuration;
  }
  throw new SignInRefusal('configuration_changed', {
    message: 'The configuration was changed or turned off during the sign-in.',
    remedy: 'Sign in again.',
  });
}

/** Exchanges the code of a callback for the claims of a person. Throws `SignInRefusal`, `sign_in_expired`. */
export async function redeem(
  dependencies: SsoSignInDependencies,
  configuration: StoredSsoConfiguration,
  attempt: SsoAttempt,
  callbackUrl: URL,
): Promise<SignedInPerson> {
  const { database, secretBox, providers } = dependencies;
  const { nonce, codeVerifier } = openBinding(secretBox, attempt);
  const party = toRelyingParty(dependencies, configuration);
  const state = callbackUrl.searchParams.get('state') ?? '';
  const { roleMappings } = await getStoredSsoPolicy(database, configuration);
  return providers.redeem(party, { state, nonce, codeVerifier }, callbackUrl, (claims) =>
    findMissingClaims(configuration, roleMappings, claims),
  );
}

/** If the root key was removed since the sign-in started, the sign-in has expired. */
function openBinding(
  secretBox: SecretBox,
  { organizationId, nonce, codeVerifier }: SsoAttempt,
): { nonce: string; codeVerifier: string } {
  try {
    return {
      nonce: secretBox.open(organizationId, noncePurpose, nonce),
      codeVerifier: secretBox.open(organizationId, verifierPurpose, codeVerifier),
    };
  } catch (error) {
    throw signInExpired(error);
  }
}

export const signInExpired = (cause?: unknown): AtriumError =>
  new AtriumError(
    'sign_in_expired',
    'This sign-in has expired, was already completed, or was started in another browser. Sign in again.',
    { cause },
  );

/** Returns the relying party of a configuration. Its secret is opened only when it is read. */
export function toRelyingParty(
  { secretBox, publicUrl, workloadIdentity }: ClientCredentials & { readonly publicUrl: string },
  configuration: StoredSsoConfiguration,
): RelyingParty {
  const { organizationId, id, version, clientId, clientCertificate, discoveryUrl, tenantId } = configuration;
  const usesWorkloadIdentity = configuration.workloadIdentitySince !== undefined;
  return {
    organizationId,
    configurationId: id,
    version,
    clientId,
    get clientSecret() {
      return openClientSecret(secretBox, configuration);
    },
    clientKey: clientCertificate && (() => openClientKey(secretBox, organizationId, clientCertificate)),
    workloadAssertion: usesWorkloadIdentity
      ? (tokenEndpoint) => workloadIdentity.assertionFor(configuration, tokenEndpoint)
      : undefined,
    discoveryUrl,
    tenantId,
    redirectUri: redirectUriOf(publicUrl, id),
  };
}
