import { minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { hashToken, isToken, newToken } from '../../base/tokens.ts';
import type { SignInLimits } from '../../accounts/sign-in-limits.ts';
import type { Database } from '../../storage/database.ts';
import type { Claims, IdentityProviders } from '../protocol/identity-provider.ts';
import type { RelyingParty } from '../protocol/relying-party.ts';
import {
  deleteAttemptsOfBrowser,
  findAttempt,
  insertAttempt,
  useUpAttempt,
  type SsoAttempt,
} from './attempt-store.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { openClientSecret } from '../configuration/client-secrets.ts';
import { redirectUriOf } from '../configuration/status.ts';

/** How long a sign-in may take at the directory, and then again until the password for a link is entered. */
export const attemptLifetimeMs = minutesMs(10);
const verifierPurpose = 'sso-attempt';
const noncePurpose = 'sso-attempt-nonce';

export interface SsoSignInNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly providers: IdentityProviders;
  readonly publicUrl: string;
  readonly signInLimits: SignInLimits;
}

export interface Callback {
  readonly configurationId: string;
  /** Whatever its host says: only its parameters count. */
  readonly url: URL;
  readonly browserToken: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Where a browser is to be sent, and the token of the cookie that binds the sign-in to it. */
export interface StartedSignIn {
  readonly url: string;
  readonly browserToken: string;
}

/** Sends a browser on its way with a configuration that can be used. Throws `SignInRefusal`. */
export async function beginAttempt(
  { database, clock, secretBox, providers, publicUrl }: SsoSignInNeeds,
  configuration: StoredSsoConfiguration,
  input: {
    returnTo: string;
    loginHint: string | undefined;
    /** Whether the person has to sign in again even if they are signed in there. */
    isLoginForced: boolean;
    browserToken: string | undefined;
    testId: string | null;
  },
): Promise<StartedSignIn> {
  const binding = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
  // One cookie serves the attempts of several tabs.
  const browserToken =
    input.browserToken !== undefined && isToken(input.browserToken) ? input.browserToken : newToken();
  const party = toRelyingParty(secretBox, publicUrl, configuration);
  const url = await providers.authorizationUrl(party, binding, input);
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
 * Takes the attempt of a state, once, for the browser and the configuration that it began with. Throws
 * `sign_in_expired`.
 */
export async function takeAttempt(
  { database, clock }: SsoSignInNeeds,
  callback: Callback,
  state: string,
): Promise<SsoAttempt> {
  const browserHash = hashToken(callback.browserToken ?? '');
  const attempt = await findAttempt(database, hashToken(state), timestamp(clock()));
  // Another browser learns nothing, and spoils nothing.
  if (attempt?.browserHash !== browserHash || attempt.configurationId !== callback.configurationId)
    throw signInExpired();
  const isTaken = await database.write((transaction) => useUpAttempt(transaction, attempt.stateHash));
  if (!isTaken) throw signInExpired();
  return attempt;
}

/** Ends the sign-ins that a browser has under way, in all its tabs. */
export async function endAttemptsOfBrowser(database: Database, browserToken: string): Promise<void> {
  await database.write((transaction) => deleteAttemptsOfBrowser(transaction, hashToken(browserToken)));
}

/**
 * Returns the configuration of an attempt. A test runs with what is stored; a sign-in only with what is enabled. Neither
 * with what has changed since it began. Throws `SignInRefusal`.
 */
export function requireUsable(
  configuration: StoredSsoConfiguration | undefined,
  attempt: SsoAttempt,
): StoredSsoConfiguration {
  // A version counts for one configuration, also when that is deleted and made again; two have the same numbers.
  if (
    configuration?.id === attempt.configurationId &&
    configuration.version === attempt.configurationVersion &&
    (configuration.enabled || attempt.testId !== null)
  ) {
    return configuration;
  }
  throw new SignInRefusal('configuration_changed', {
    message: 'The configuration was changed or turned off during a sign-in.',
    remedy: 'Sign in again.',
  });
}

/** Buys the claims of a person with the code that a callback brings. Throws `SignInRefusal`, `sign_in_expired`. */
export function redeem(
  { secretBox, providers, publicUrl }: SsoSignInNeeds,
  configuration: StoredSsoConfiguration,
  attempt: SsoAttempt,
  callbackUrl: URL,
): Promise<Claims> {
  const { nonce, codeVerifier } = openBinding(secretBox, attempt);
  const party = toRelyingParty(secretBox, publicUrl, configuration);
  const state = callbackUrl.searchParams.get('state') ?? '';
  return providers.redeem(party, { state, nonce, codeVerifier }, callbackUrl);
}

/** A root key that is gone since the sign-in began ends it, as time would. */
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
    'This sign-in is not under way in this browser, or was completed. Sign in again.',
    { cause },
  );

/** Returns the configuration as the protocol needs it. Its secret is opened when it is read. */
export function toRelyingParty(
  secretBox: SecretBox,
  publicUrl: string,
  configuration: StoredSsoConfiguration,
): RelyingParty {
  const { id, version, clientId, discoveryUrl, tenantId } = configuration;
  return {
    configurationId: id,
    version,
    clientId,
    get clientSecret() {
      return openClientSecret(secretBox, configuration);
    },
    discoveryUrl,
    tenantId,
    redirectUri: redirectUriOf(publicUrl, id),
  };
}
