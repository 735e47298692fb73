import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client';
import type { Clock } from '../../base/clock.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { loadProtocol } from './library.ts';
import { checkLogoutToken, type Logout } from './logout-token.ts';
import { createProviderKeys, type KeyFetch, type KeyResponse } from './provider-keys.ts';
import type { Claims } from './claims.ts';
import type { Binding, RelyingParty } from './relying-party.ts';
import { fetchUserInfo } from './userinfo.ts';

/** Options of the authorization request (OpenID Connect Core 1.0, section 3.1.2.1). */
export interface LoginOptions {
  readonly loginHint: string | undefined;
  /** Whether people have to sign in again even if they are signed in there. */
  readonly isLoginForced: boolean;
}

/** Parameters of a logout request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export interface LogoutInput {
  readonly postLogoutRedirectUri: string;
  /** The ID token of the session that ends. */
  readonly idToken: string | undefined;
}

/** The tokens that a code was exchanged for, after checking the signature of the ID token and everything else. */
export interface CheckedTokens {
  /** The claims of the ID token. */
  readonly claims: Claims;
  readonly idToken: string;
  readonly accessToken: string;
}

/** A relying party's client for a provider whose discovery document was checked. */
export interface ProviderClient {
  readonly metadata: ServerMetadata;
  /** Returns where to send the browser. */
  authorizationUrl(binding: Binding, wishes: LoginOptions): Promise<string>;
  /** Exchanges the code of a callback for tokens. */
  redeem(binding: Binding, callbackUrl: URL): Promise<CheckedTokens>;
  /** Returns the claims of the UserInfo endpoint about the person of these tokens. Throws `SignInRefusal`. */
  userInfo(tokens: CheckedTokens): Promise<Claims>;
  /** Returns what a logout token asks to end; undefined if it is not valid. */
  checkLogoutToken(token: string): Promise<Logout | undefined>;
  /** Returns where to send the browser to sign out there too. */
  endSessionUrl(input: LogoutInput): Promise<string>;
}

/** Entra backdates tokens, and clocks drift. */
const clockToleranceS = 300;

/** Returns the client of a provider, which sends every request through `outgoing`. */
export function createProviderClient(
  { outgoing, clock }: { outgoing: Outgoing; clock: Clock },
  party: RelyingParty,
  metadata: ServerMetadata,
): ProviderClient {
  const send = (url: string, { method, headers, body }: CustomFetchOptions) =>
    outgoing.fetch(url, {
      method,
      headers,
      namedBy: party.discoveryUrl,
      // The library sends only forms.
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
      let failed: KeyFetch | undefined;
      // The first call redeems the code; the second one checks the same token with newer keys.
      const grant = async (fetched: KeyFetch | undefined) => {
        // A separate one per call, since the library caches the keys in a configuration.
        const configuration = await configure(party, metadata);
        configuration[client.customFetch] = async (url, options) => {
          if (options.method !== 'GET') return (await (token ??= send(url, options))).clone();
          const used = fetched ?? keys.get();
          const response = toResponse(await used.response);
          if (response.status === 200) failed = used;
          return response;
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
        const { id_token: idToken = '', access_token: accessToken } = tokens;
        return { claims: tokens.claims() ?? {}, idToken, accessToken };
      };
      try {
        return await grant(undefined);
      } catch (error) {
        // Keys are fetched last, so an error after that means that the token does not match them. There may be newer
        // ones.
        const newer = failed && keys.findNewer(failed);
        if (newer === undefined) throw error;
        return grant(newer);
      }
    },

    userInfo: async ({ claims, accessToken }) => {
      const client = await loadProtocol();
      const configuration = await configure(party, metadata);
      configuration[client.customFetch] = async (url, options) =>
        // The keys check the response if it is signed.
        url === metadata.jwks_uri ? toResponse(await keys.get().response) : send(url, options);
      return fetchUserInfo(configuration, accessToken, String(claims['sub']));
    },

    checkLogoutToken: (token) => {
      const { issuer, id_token_signing_alg_values_supported: algorithms = [] } = metadata;
      return checkLogoutToken(token, { issuer, clientId: party.clientId, algorithms }, keys);
    },

    endSessionUrl: async ({ postLogoutRedirectUri, idToken }) => {
      const { buildEndSessionUrl } = await loadProtocol();
      const parameters = {
        post_logout_redirect_uri: postLogoutRedirectUri,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      };
      return buildEndSessionUrl(await configure(party, metadata), parameters).href;
    },
  };
}

const toResponse = ({ status, contentType, text }: KeyResponse): Response =>
  new Response(text || null, { status, headers: { 'content-type': contentType } });

async function configure(party: RelyingParty, metadata: ServerMetadata): Promise<Configuration> {
  const client = await loadProtocol();
  const configuration = new client.Configuration(
    metadata,
    party.clientId,
    { [client.clockTolerance]: clockToleranceS },
    // A function, so that the secret is read only when it is sent.
    (...request) =>
      metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
        ? client.ClientSecretPost(party.clientSecret)(...request)
        : client.ClientSecretBasic(party.clientSecret)(...request),
  );
  client.enableNonRepudiationChecks(configuration);
  // The protocol was checked with the document, and `outgoing` checks it for every request.
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to draw attention.
  client.allowInsecureRequests(configuration);
  return configuration;
}

/** Returns the redirect URI with the parameters of the request, whose own host is never trusted. */
function atRedirectUri(callbackUrl: URL, redirectUri: string): URL {
  const url = new URL(redirectUri);
  url.search = callbackUrl.search;
  return url;
}
