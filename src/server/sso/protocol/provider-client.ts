import type { Configuration, CustomFetchOptions, IDToken, ServerMetadata } from 'openid-client';
import type { Clock } from '../../base/clock.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { loadProtocol } from './library.ts';
import { createProviderKeys, type KeyFetch } from './provider-keys.ts';
import type { Binding, RelyingParty } from './relying-party.ts';

/** How the provider is asked to sign a person in (OpenID Connect Core 1.0, section 3.1.2.1). */
export interface LoginWishes {
  readonly loginHint: string | undefined;
  /** Whether the person has to sign in again even if they are signed in there. */
  readonly isLoginForced: boolean;
}

/** A relying party's view of a provider whose document was checked. */
export interface ProviderClient {
  readonly metadata: ServerMetadata;
  /** Returns where to send the browser. */
  authorizationUrl(binding: Binding, wishes: LoginWishes): Promise<string>;
  /** Returns the claims of the ID token that a code buys, once its signature and all else is checked. */
  redeem(binding: Binding, callbackUrl: URL): Promise<IDToken | undefined>;
  /** Returns where to send the browser to sign out there too. */
  endSessionUrl(postLogoutRedirectUri: string): Promise<string>;
}

/** Entra back-dates and clocks drift: seconds. */
const clockToleranceS = 300;

/** Returns the client of a provider; every request of it goes by `outgoing`. */
export function createProviderClient(
  { outgoing, clock }: { outgoing: Outgoing; clock: Clock },
  party: RelyingParty,
  metadata: ServerMetadata,
): ProviderClient {
  const ask = (url: string, { method, headers, body }: CustomFetchOptions) =>
    outgoing.fetch(url, {
      method,
      headers,
      namedBy: party.discoveryUrl,
      // The library sends forms and nothing else.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
  const accept = 'application/json, application/jwk-set+json';
  const keys = createProviderKeys(
    () => outgoing.fetch(metadata.jwks_uri ?? '', { headers: { accept }, namedBy: party.discoveryUrl }),
    clock,
  );

  return {
    metadata,
    authorizationUrl: async ({ state, nonce, codeVerifier }, { loginHint, isLoginForced }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadProtocol();
      const url = buildAuthorizationUrl(await configure(party, metadata), {
        redirect_uri: party.redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(isLoginForced && { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    },

    redeem: async ({ state, nonce, codeVerifier }, callbackUrl) => {
      const client = await loadProtocol();
      let token: Promise<Response> | undefined;
      let unfit: KeyFetch | undefined;
      // Redeems the code the first time; the second time checks by other keys what that bought.
      const grant = async (fetched: KeyFetch | undefined) => {
        // Of its own, since the library keeps the keys that a configuration has seen.
        const configuration = await configure(party, metadata);
        configuration[client.customFetch] = async (url, options) => {
          if (options.method !== 'GET') return (await (token ??= ask(url, options))).clone();
          const used = fetched ?? keys.get();
          const { status, contentType, text } = await used.answer;
          if (status === 200) unfit = used;
          return new Response(text || null, { status, headers: { 'content-type': contentType } });
        };
        const tokens = await client.authorizationCodeGrant(
          configuration,
          atRedirectUri(callbackUrl, party.redirectUri),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          },
        );
        return tokens.claims();
      };
      try {
        return await grant(undefined);
      } catch (error) {
        // The keys are asked for last. Who fails with them has a token that they do not fit: there may be newer ones.
        const newer = unfit && keys.findNewer(unfit);
        if (newer === undefined) throw error;
        return grant(newer);
      }
    },

    endSessionUrl: async (postLogoutRedirectUri) => {
      const { buildEndSessionUrl } = await loadProtocol();
      const parameters = { post_logout_redirect_uri: postLogoutRedirectUri };
      return buildEndSessionUrl(await configure(party, metadata), parameters).href;
    },
  };
}

async function configure(party: RelyingParty, metadata: ServerMetadata): Promise<Configuration> {
  const client = await loadProtocol();
  const configuration = new client.Configuration(
    metadata,
    party.clientId,
    // Only keys that the provider publishes count, and only for the algorithm that Entra and AD FS use.
    { id_token_signed_response_alg: 'RS256', [client.clockTolerance]: clockToleranceS },
    // Not read before it is sent.
    (...request) => client.ClientSecretPost(party.clientSecret)(...request),
  );
  client.enableNonRepudiationChecks(configuration);
  // The protocol was checked with the document, and `outgoing` checks it for every request.
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to be noticed.
  client.allowInsecureRequests(configuration);
  return configuration;
}

/** The redirect URI with the parameters that came: what the request says of its own host is never believed. */
function atRedirectUri(callbackUrl: URL, redirectUri: string): URL {
  const url = new URL(redirectUri);
  url.search = callbackUrl.search;
  return url;
}
