import type { Clock } from '../../base/clock.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { requireCode } from './authorization-response.ts';
import { readDiscoveryDocument, toFacts, urlOf, type DiscoveryFacts } from './discovery-document.ts';
import { createProviderClient, type LoginWishes, type ProviderClient } from './provider-client.ts';
import { secretsOf, withinDeadline } from './provider-refusal.ts';
import type { Binding, RelyingParty } from './relying-party.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface IdentityProviders {
  /** Returns where to send the browser. Throws `SignInRefusal`. */
  authorizationUrl(party: RelyingParty, binding: Binding, wishes: LoginWishes): Promise<string>;
  /** Returns the claims of the ID token that a code buys, once everything about it is checked. Throws `SignInRefusal`. */
  redeem(party: RelyingParty, binding: Binding, callbackUrl: URL): Promise<Claims>;
  /** Throws `SignInRefusal` when the document cannot be had, or does not fit the configuration. */
  discover(party: RelyingParty): Promise<DiscoveryFacts>;
  /** Returns where to send the browser to sign out at the provider too, or undefined where it offers nothing. */
  endSessionUrl(party: RelyingParty, postLogoutRedirectUri: string): Promise<string | undefined>;
}

/** How long a discovery document is believed. */
const discoveryLifetimeMs = 3_600_000;
/** Of so many configurations: who makes and deletes them again and again fills no memory. */
const cachedAtMost = 1_000;
/** How long a failure is: nobody makes this server ask a broken provider again and again. */
const failureLifetimeMs = 5_000;

interface Cached {
  readonly version: number;
  readonly provider: Promise<ProviderClient>;
  expiresAt: number;
}

/**
 * Returns identity providers over `outgoing`, which holds every address that a document names to the same policy as
 * the document's own. Documents and keys are cached for each configuration by itself; keys are fetched anew for a
 * token that they do not fit (at most every ten seconds), and one fetch at a time.
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
    // At the end of the order, and the first of it goes: a configuration that is deleted is not asked for again.
    cache.delete(party.configurationId);
    cache.set(party.configurationId, fresh);
    const [oldest] = cache.keys();
    if (cache.size > cachedAtMost && oldest !== undefined) cache.delete(oldest);
    provider.catch(() => {
      fresh.expiresAt = clock() + failureLifetimeMs;
    });
    return provider;
  }

  return {
    authorizationUrl: (party, binding, wishes) =>
      withinDeadline([party.clientSecret], async () =>
        (await getProvider(party)).authorizationUrl(binding, wishes),
      ),

    redeem: (party, binding, callbackUrl) =>
      withinDeadline(secretsOf(party, binding, callbackUrl), async () => {
        const provider = await getProvider(party);
        requireCode(callbackUrl.searchParams, provider.metadata);
        const claims = (await provider.redeem(binding, callbackUrl)) ?? {};
        requireOneAudience(claims, party.clientId);
        requireAuthorizedParty(claims, party.clientId);
        return claims;
      }),

    discover: (party) =>
      withinDeadline([party.clientSecret], async () => toFacts((await getProvider(party)).metadata)),

    endSessionUrl: (party, postLogoutRedirectUri) =>
      withinDeadline([], async () => {
        const provider = await getProvider(party);
        const endpoint = urlOf(provider.metadata.end_session_endpoint);
        if (endpoint?.protocol !== new URL(party.discoveryUrl).protocol) return undefined;
        return provider.endSessionUrl(postLogoutRedirectUri);
      }),
  };
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
