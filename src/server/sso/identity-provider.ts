import * as client from 'openid-client';
import { OutgoingError, type Outgoing } from '../outgoing/outgoing.ts';
import { explainProviderError } from './entra-errors.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

/** A configuration as the protocol needs it: this server as a relying party of an identity provider. */
export interface RelyingParty {
  readonly configurationId: string;
  /** Changes with every write of the configuration. */
  readonly version: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly discoveryUrl: string;
  /** A GUID for Microsoft Entra ID; undefined for AD FS. */
  readonly tenantId: string | undefined;
  readonly redirectUri: string;
}

/** What binds an answer of the provider to the request before it. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The facts of a discovery document that a sign-in relies on. */
export interface DiscoveryFacts {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly endSessionEndpoint?: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export interface IdentityProviders {
  /** Returns where to send the browser. Throws `SignInRefusal`. */
  authorizationUrl(party: RelyingParty, binding: Binding, loginHint: string | undefined): Promise<string>;
  /** Returns the claims of the ID token that a code buys, once everything about it is checked. Throws `SignInRefusal`. */
  redeem(party: RelyingParty, binding: Binding, callbackUrl: URL): Promise<Claims>;
  /** Throws `SignInRefusal` when the document cannot be had, or does not fit the configuration. */
  discover(party: RelyingParty): Promise<DiscoveryFacts>;
  /** Returns where to send the browser to sign out at the provider too, or undefined where it offers nothing. */
  endSessionUrl(party: RelyingParty, postLogoutRedirectUri: string): Promise<string | undefined>;
}

/** No sign-in waits longer for its provider, whatever that does. */
const deadlineMs = 10_000;
/** How long a discovery document is believed. */
const discoveryLifetimeMs = 3_600_000;
/** Of so many configurations: who makes and deletes them again and again fills no memory. */
const cachedAtMost = 1_000;
/** How long a failure is: nobody makes this server ask a broken provider again and again. */
const failureLifetimeMs = 5_000;
/** Entra back-dates and clocks drift: seconds. */
const clockToleranceS = 300;
const wellKnown = '/.well-known/openid-configuration';

interface Cached {
  readonly version: number;
  readonly provider: Promise<client.Configuration>;
  expiresAt: number;
}

/**
 * Returns identity providers over `outgoing`, which holds every address that a document names to the same policy as
 * the document's own. Documents and keys are cached for each configuration by itself; keys are fetched anew for a key
 * id that is not among them (at most once a minute), and one fetch at a time.
 */
export function createIdentityProviders(outgoing: Outgoing, now: () => number = Date.now): IdentityProviders {
  const cache = new Map<string, Cached>();

  function getProvider(party: RelyingParty): Promise<client.Configuration> {
    const cached = cache.get(party.configurationId);
    if (cached?.version === party.version && cached.expiresAt > now()) return cached.provider;
    const provider = discoverProvider(outgoing, party);
    const fresh: Cached = { version: party.version, provider, expiresAt: now() + discoveryLifetimeMs };
    // At the end of the order, and the first of it goes: an id is never used again once its configuration is deleted.
    cache.delete(party.configurationId);
    cache.set(party.configurationId, fresh);
    const [oldest] = cache.keys();
    if (cache.size > cachedAtMost && oldest !== undefined) cache.delete(oldest);
    provider.catch(() => {
      fresh.expiresAt = now() + failureLifetimeMs;
    });
    return provider;
  }

  return {
    authorizationUrl: (party, { state, nonce, codeVerifier }, loginHint) =>
      withinDeadline([party.clientSecret], async () => {
        const provider = await getProvider(party);
        const url = client.buildAuthorizationUrl(provider, {
          redirect_uri: party.redirectUri,
          scope: 'openid profile email',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(loginHint !== undefined && { login_hint: loginHint }),
        });
        return url.href;
      }),

    redeem: (party, binding, callbackUrl) =>
      withinDeadline(secretsOf(party, binding, callbackUrl), async () => {
        const provider = await getProvider(party);
        const tokens = await client.authorizationCodeGrant(
          provider,
          atRedirectUri(callbackUrl, party.redirectUri),
          {
            expectedState: binding.state,
            expectedNonce: binding.nonce,
            pkceCodeVerifier: binding.codeVerifier,
            idTokenExpected: true,
          },
        );
        const claims = tokens.claims() ?? {};
        requireOneAudience(claims, party.clientId);
        requireAuthorizedParty(claims, party.clientId);
        return claims;
      }),

    discover: (party) =>
      withinDeadline([party.clientSecret], async () => toFacts((await getProvider(party)).serverMetadata())),

    endSessionUrl: (party, postLogoutRedirectUri) =>
      withinDeadline([party.clientSecret], async () => {
        const provider = await getProvider(party);
        const endpoint = urlOf(provider.serverMetadata().end_session_endpoint);
        if (endpoint?.protocol !== new URL(party.discoveryUrl).protocol) return undefined;
        return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: postLogoutRedirectUri }).href;
      }),
  };
}

/**
 * Reads and checks the discovery document (OpenID Connect Discovery 1.0, section 4.3): its issuer must be the address
 * it was read from. That is stricter than the library for `login.microsoftonline.com`, whose documents for many
 * tenants name a template.
 */
async function discoverProvider(outgoing: Outgoing, party: RelyingParty): Promise<client.Configuration> {
  const document = await readDocument(outgoing, party.discoveryUrl);
  const { issuer } = document;
  if (typeof issuer !== 'string' || !isReadFrom(issuer, party)) {
    throw new SignInRefusal('issuer_mismatch', {
      message: `The discovery document names the issuer ${shown(issuer)}, which is not the one that its address stands for.`,
      remedy: 'Use the address of one tenant, to the letter; not that of “common” or “organizations”.',
    });
  }
  const { tenantId } = party;
  if (tenantId !== undefined && !new URL(issuer).pathname.split('/').includes(tenantId.toLowerCase())) {
    throw new SignInRefusal('issuer_mismatch', {
      message: `The issuer ${shown(issuer)} is not of the tenant of the configuration.`,
      remedy: 'Correct the tenant or the discovery address.',
    });
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = urlOf(document[name]);
    if (url?.protocol !== new URL(party.discoveryUrl).protocol) {
      throw new SignInRefusal('discovery_invalid', {
        message: `The discovery document has no usable ${name}: ${shown(document[name])}.`,
        remedy: 'Correct the discovery address.',
      });
    }
  }
  const provider = new client.Configuration(
    toMetadata(issuer, document),
    party.clientId,
    // Only keys that the provider publishes count, and only for the algorithm that Entra and AD FS use.
    { id_token_signed_response_alg: 'RS256', [client.clockTolerance]: clockToleranceS },
    client.ClientSecretPost(party.clientSecret),
  );
  const askAlone = (url: string, { method, headers, body }: client.CustomFetchOptions) =>
    outgoing.fetch(url, {
      method,
      headers,
      // The library sends forms and nothing else.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
  let keys: Promise<Response> | undefined;
  // Of sign-ins at once, one fetches the keys, which are all that is fetched by GET: the library would for each of them.
  const askForKeys = async (url: string, options: client.CustomFetchOptions) => {
    keys ??= askAlone(url, options).finally(() => {
      keys = undefined;
    });
    return (await keys).clone();
  };
  provider[client.customFetch] = (url, options) =>
    options.method === 'GET' ? askForKeys(url, options) : askAlone(url, options);
  client.enableNonRepudiationChecks(provider);
  // The protocol was checked above, and `outgoing` checks it for every request.
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to be noticed.
  client.allowInsecureRequests(provider);
  return provider;
}

/** What a sign-in reads of a document: whatever else there is, and however much, is neither kept nor looked at. */
function toMetadata(issuer: string, document: Record<string, unknown>): client.ServerMetadata {
  const text = (name: string) => (urlOf(document[name]) === undefined ? {} : { [name]: document[name] });
  return {
    issuer,
    ...text('authorization_endpoint'),
    ...text('token_endpoint'),
    ...text('jwks_uri'),
    ...text('end_session_endpoint'),
    // RFC 9207: whether the answers must name the issuer.
    authorization_response_iss_parameter_supported:
      document['authorization_response_iss_parameter_supported'] === true,
  };
}

/** Returns an address of a document, or undefined for what is none: what merely turns into one as text is refused. */
const urlOf = (value: unknown): URL | undefined =>
  typeof value === 'string' ? (URL.parse(value) ?? undefined) : undefined;

/** The tenant is a GUID, in which people type either case. */
function isReadFrom(issuer: string, { discoveryUrl, tenantId }: RelyingParty): boolean {
  const address = issuer + wellKnown;
  if (tenantId === undefined) return address === discoveryUrl;
  return address.toLowerCase() === discoveryUrl.toLowerCase();
}

async function readDocument(outgoing: Outgoing, url: string): Promise<Record<string, unknown>> {
  const answer = await outgoing.fetch(url, { headers: { accept: 'application/json' } });
  if (answer.status !== 200) {
    throw new SignInRefusal('discovery_failed', {
      message: `The discovery address answers with status ${answer.status} instead of a document.`,
      remedy: 'Check the tenant or the discovery address in a browser.',
    });
  }
  const document = parseObject(await answer.text());
  if (document === undefined) {
    throw new SignInRefusal('discovery_invalid', {
      message: 'The discovery address does not answer with a JSON object.',
      remedy: 'Check the discovery address in a browser: it ends with /.well-known/openid-configuration.',
    });
  }
  return document;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The redirect URI with the parameters that came: what the request says of its own host is never believed. */
function atRedirectUri(callbackUrl: URL, redirectUri: string): URL {
  const url = new URL(redirectUri);
  url.search = callbackUrl.search;
  return url;
}

/** A token that is for others as well could have been taken from one of them. */
function requireOneAudience({ aud }: Claims, clientId: string): void {
  if (aud === clientId || (Array.isArray(aud) && aud.length === 1 && aud[0] === clientId)) return;
  throw new SignInRefusal('token_invalid', {
    message: 'The ID token is for other applications too.',
    remedy: 'Use an identity provider that issues it for this application alone.',
  });
}

/** OpenID Connect Core 1.0, section 3.1.3.7, rule 5: the library asks for it only when there are several audiences. */
function requireAuthorizedParty({ azp }: Claims, clientId: string): void {
  if (azp === undefined || azp === clientId) return;
  throw new SignInRefusal('token_invalid', {
    message: 'The ID token was issued to another application.',
    remedy: 'Check the client ID, and sign in again.',
  });
}

const toFacts = (metadata: client.ServerMetadata): DiscoveryFacts => ({
  issuer: metadata.issuer,
  authorizationEndpoint: metadata.authorization_endpoint ?? '',
  tokenEndpoint: metadata.token_endpoint ?? '',
  jwksUri: metadata.jwks_uri ?? '',
  ...(metadata.end_session_endpoint !== undefined && { endSessionEndpoint: metadata.end_session_endpoint }),
});

/** What a provider is told, and could say back in an error, which is written down. */
const secretsOf = (
  { clientSecret }: RelyingParty,
  { state, nonce, codeVerifier }: Binding,
  callbackUrl: URL,
): string[] => [clientSecret, state, nonce, codeVerifier, ...callbackUrl.searchParams.getAll('code')];

/** Returns `text` without the secrets, and without any token. One of a few characters would leave nothing of a text. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .replaceAll(/eyJ[\w-]+\.[\w-]*(\.[\w-]*)*/g, '…');
}

/** Runs `work`, which takes 10 s at most; what it throws bears none of `secrets`. */
async function withinDeadline<Result>(
  secrets: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new SignInRefusal('provider_unreachable', {
        message: 'The identity provider does not answer within 10 seconds.',
        remedy: 'Try again; if it goes on, check the provider and the network between.',
      }),
    );
  }, deadlineMs);
  try {
    return await Promise.race([work(), tooLate]);
  } catch (error) {
    throw toRefusal(error, (text) => withoutSecrets(text, secrets));
  } finally {
    clearTimeout(timer);
  }
}

function toRefusal(error: unknown, clean: (text: string) => string): SignInRefusal {
  if (error instanceof SignInRefusal) {
    const { code, message, remedy } = error;
    return new SignInRefusal(code, { message: clean(message), remedy }, error);
  }
  const outgoing = findCause(error, OutgoingError);
  if (outgoing !== undefined) {
    const code = outgoing.code === 'address_refused' ? 'address_refused' : 'provider_unreachable';
    return new SignInRefusal(
      code,
      {
        message: outgoing.message,
        remedy: 'Check the address and the network; private networks take ATRIUM_SSO_PRIVATE_HOSTS.',
      },
      error,
    );
  }
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const description = error.error_description;
    const { code, message, remedy } = explainProviderError(
      clean(error.error),
      description === undefined ? undefined : clean(description),
    );
    return new SignInRefusal(code, { message, remedy }, error);
  }
  return new SignInRefusal(
    'token_invalid',
    {
      message: `What the identity provider sends is not accepted: ${clean(reasonOf(error)).slice(0, 500)}.`,
      remedy: 'Check that client, tenant and discovery address belong together.',
    },
    error,
  );
}

/** The library tells what is wrong in the cause of what it throws. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

function findCause<E extends Error>(error: unknown, type: new (...parameters: never[]) => E): E | undefined {
  if (error instanceof type) return error;
  return error instanceof Error && error.cause !== undefined ? findCause(error.cause, type) : undefined;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'none').slice(0, 200);
