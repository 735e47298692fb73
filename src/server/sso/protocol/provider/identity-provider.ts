import type { Clock } from '../../../base/clock.ts';
import type { Outgoing } from '../../../outgoing/outgoing.ts';
import { requireCode } from '../authorization-response.ts';
import type { Claims } from '../claims.ts';
import { readDiscoveryDocument, toFacts, urlOf, type DiscoveryFacts } from './discovery-document.ts';
import { createProviderClient, type LoginOptions, type LogoutInput, type ProviderClient } from './client.ts';
import type { Logout } from '../logout-token.ts';
import type { RefusedGrant } from '../refused-grant.ts';
import { clientSecretOf, secretsOf, withinDeadline, type Confidential } from './refusal.ts';
import type { Binding, RelyingParty } from '../relying-party.ts';
import { SignInRefusal } from '../sign-in-refusal.ts';
import { hasUserInfo, withUserInfo } from '../userinfo.ts';

/** A person who has signed in at a provider. */
export interface SignedInPerson {
  /** The claims of the ID token, and those that only the UserInfo endpoint has. */
  readonly claims: Claims;
  readonly idToken: string;
  /** Undefined if the provider gave none. */
  readonly refreshToken?: string | undefined;
}

/** A person that a provider has confirmed again. */
export interface ConfirmedPerson {
  /** As for a sign-in; undefined if the provider returned no ID token. */
  readonly claims: Claims | undefined;
  /** To be used from now on instead of the one before, if the provider gave one. */
  readonly refreshToken: string | undefined;
}

export interface IdentityProviders {
  /** Returns where to send the browser. Throws `SignInRefusal`. */
  authorizationUrl(party: RelyingParty, binding: Binding, options: LoginOptions): Promise<string>;
  /**
   * Exchanges the code of a callback for a fully checked ID token. If it lacks claims that `findMissing` returns, and
   * there is a UserInfo endpoint, that is requested for them. Throws `SignInRefusal`.
   */
  redeem(
    party: RelyingParty,
    binding: Binding,
    callbackUrl: URL,
    findMissing: (claims: Claims) => readonly string[],
  ): Promise<SignedInPerson>;
  /**
   * Redeems a refresh token (OpenID Connect Core 1.0, section 12). Returns why if the provider refuses it, or returns an ID token
   * about another person than `subject`. Throws `SignInRefusal` if that is not known.
   */
  refresh(
    party: RelyingParty,
    refreshToken: string,
    subject: { readonly issuer: string; readonly subject: string },
    findMissing: (claims: Claims) => readonly string[],
  ): Promise<ConfirmedPerson | RefusedGrant>;
  /** Throws `SignInRefusal` if the document cannot be read, or does not match the configuration. */
  discover(party: RelyingParty): Promise<DiscoveryFacts>;
  /**
   * Returns what a logout token of the provider asks to end; undefined if it is not valid. Throws `SignInRefusal` if the provider does
   * not respond.
   */
  checkLogoutToken(party: RelyingParty, token: string): Promise<Logout | undefined>;
  /** Returns where to send the browser to sign out at the provider too, or undefined if it does not support that. */
  endSessionUrl(party: RelyingParty, input: LogoutInput): Promise<string | undefined>;
}

/** How long a discovery document is cached. */
const discoveryLifetimeMs = 3_600_000;
/**
 * The most configurations in the cache, so that creating and deleting them again and again does not fill the memory.
 */
const maxCached = 1_000;
/**
 * How long a failure is cached, so that nobody can make this server send request after request to a broken provider.
 */
const failureLifetimeMs = 5_000;

interface Cached {
  readonly version: number;
  readonly provider: Promise<ProviderClient>;
  expiresAt: number;
}

/**
 * Returns identity providers over `outgoing`, which applies the same policy to every URL in a document as to the
 * document's own. Documents and keys are cached per configuration. Keys are fetched again for a token that they do not
 * match, at most every ten seconds and once at a time.
 */
export function createIdentityProviders(outgoing: Outgoing, clock: Clock = Date.now): IdentityProviders {
  const cache = new Map<string, Cached>();
  const discoverProvider = async (party: RelyingParty) =>
    createProviderClient({ outgoing, clock }, party, await readDiscoveryDocument(outgoing, party));

  function getProvider(party: RelyingParty): Promise<ProviderClient> {
    const cached = cache.get(party.configurationId);
    if (cached?.version === party.version && cached.expiresAt > clock()) return cached.provider;
    const provider = discoverProvider(party);
    const fresh: Cached = { version: party.version, provider, expiresAt: clock() + discoveryLifetimeMs };
    // Moves it to the end, since the first one is evicted: a deleted configuration is not used again.
    cache.delete(party.configurationId);
    cache.set(party.configurationId, fresh);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    provider.catch(() => {
      fresh.expiresAt = clock() + failureLifetimeMs;
    });
    return provider;
  }

  /** What errors of requests to a provider must not contain. */
  const of = ({ discoveryUrl, organizationId }: RelyingParty, secrets: readonly string[]): Confidential => ({
    secrets,
    isPrivateHost: outgoing.isPrivate(discoveryUrl, organizationId),
  });

  return {
    authorizationUrl: (party, binding, options) =>
      withinDeadline(of(party, clientSecretOf(party)), async () =>
        (await getProvider(party)).authorizationUrl(binding, options),
      ),

    redeem: (party, binding, callbackUrl, findMissing) =>
      withinDeadline(of(party, secretsOf(party, binding, callbackUrl)), async () => {
        const provider = await getProvider(party);
        requireCode(callbackUrl.searchParams, provider.metadata);
        const tokens = await provider.redeem(binding, callbackUrl);
        const { idToken, refreshToken } = tokens;
        return { claims: await complete(party, provider, tokens, findMissing), idToken, refreshToken };
      }),

    refresh: (party, sent, { issuer, subject }, findMissing) =>
      withinDeadline(of(party, [...clientSecretOf(party), sent]), async () => {
        const provider = await getProvider(party);
        const tokens = await provider.refresh(sent);
        if ('refusal' in tokens) return tokens;
        const { claims, accessToken, refreshToken } = tokens;
        if (claims === undefined) return { claims, refreshToken };
        // OpenID Connect Core 1.0, section 12.2.
        if (claims['iss'] !== issuer || claims['sub'] !== subject) return anotherPerson;
        return {
          claims: await complete(party, provider, { claims, accessToken }, findMissing),
          refreshToken,
        };
      }),

    discover: (party) =>
      withinDeadline(of(party, clientSecretOf(party)), async () =>
        toFacts((await getProvider(party)).metadata),
      ),

    checkLogoutToken: (party, token) =>
      withinDeadline(of(party, [token]), async () => (await getProvider(party)).checkLogoutToken(token)),

    endSessionUrl: (party, input) =>
      withinDeadline(of(party, []), async () => {
        const provider = await getProvider(party);
        const endpoint = urlOf(provider.metadata.end_session_endpoint);
        if (endpoint?.protocol !== new URL(party.discoveryUrl).protocol) return undefined;
        return provider.endSessionUrl(input);
      }),
  };
}

/** Checks who the ID token is for, and adds what only the UserInfo endpoint has. */
async function complete(
  party: RelyingParty,
  provider: ProviderClient,
  tokens: { readonly claims: Claims; readonly accessToken: string },
  findMissing: (claims: Claims) => readonly string[],
): Promise<Claims> {
  const { claims } = tokens;
  requireOneAudience(claims, party.clientId);
  requireAuthorizedParty(claims, party.clientId);
  const missing = hasUserInfo(provider.metadata, party.discoveryUrl) ? findMissing(claims) : [];
  if (missing.length === 0) return claims;
  return withUserInfo(claims, await provider.userInfo(tokens), missing);
}

const anotherPerson: RefusedGrant = {
  refusal: 'another_person',
  message: 'The provider returned an ID token about another person.',
};

/** A token that is for other applications as well could have been stolen from one of them. */
function requireOneAudience({ aud }: Claims, clientId: string): void {
  if (aud === clientId || (Array.isArray(aud) && aud.length === 1 && aud[0] === clientId)) return;
  throw new SignInRefusal('token_invalid', {
    message: 'The ID token is for other applications as well.',
    remedy: 'Use an identity provider that issues it only for this application.',
  });
}

/** OpenID Connect Core 1.0, section 3.1.3.7, rule 5: the library checks it only if there are several audiences. */
function requireAuthorizedParty({ azp }: Claims, clientId: string): void {
  if (azp === undefined || azp === clientId) return;
  throw new SignInRefusal('token_invalid', {
    message: 'The ID token was issued to another application.',
    remedy: 'Check the client ID, and sign in again.',
  });
}
