import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client';
import type { Clock } from '../../../base/clock.ts';
import type { Outgoing } from '../../../outgoing/outgoing.ts';
import { createClientAuthentication } from '../client-authentication.ts';
import { loadProtocol } from '../library.ts';
import { checkLogoutToken, type Logout } from '../logout-token.ts';
import { createProviderKeys, type KeyFetch, type KeyResponse } from './keys.ts';
import type { Claims } from '../claims.ts';
import type { Binding, RelyingParty } from '../relying-party.ts';
import { readRefusal, type RefusedGrant } from '../refused-grant.ts';
import { fetchUserInfo } from '../userinfo.ts';

/** Options of the authorization request (OpenID Connect Core 1.0, section 3.1.2.1). */
export interface LoginOptions {
  readonly loginHint: string | undefined;
  /** Whether people have to sign in again even if they are signed in there. */
  readonly isLoginForced: boolean;
  /** Whether to ask for a refresh token, with which to check later whether the person may still sign in. */
  readonly isCheckedAgain: boolean;
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
  readonly refreshToken: string | undefined;
}

/** What a provider returns for a refresh token; there need not be an ID token (OpenID Connect Core 1.0, section 12.2). */
export interface RefreshedTokens extends Omit<CheckedTokens, 'claims' | 'idToken'> {
  readonly claims: Claims | undefined;
}

/** A relying party's client for a provider whose discovery document was checked. */
export interface ProviderClient {
  readonly metadata: ServerMetadata;
  /** Returns where to send the browser. */
  authorizationUrl(binding: Binding, wishes: LoginOptions): Promise<string>;
  /** Exchanges the code of a callback for tokens. */
  redeem(binding: Binding, callbackUrl: URL): Promise<CheckedTokens>;
  /** Exchanges a refresh token for new tokens, or returns why the provider refused it. */
  refresh(refreshToken: string): Promise<RefreshedTokens | RefusedGrant>;
  /** Returns the claims of the UserInfo endpoint about the person of these tokens. Throws `SignInRefusal`. */
  userInfo(tokens: { readonly accessToken: string; readonly claims: Claims }): Promise<Claims>;
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
      organizationId: party.organizationId,
      namedBy: party.discoveryUrl,
      // The library sends only forms.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
  const accept = 'application/json, application/jwk-set+json';
  const keys = createProviderKeys(
    () =>
      outgoing.fetch(metadata.jwks_uri ?? '', {
        headers: { accept },
        organizationId: party.organizationId,
        namedBy: party.discoveryUrl,
      }),
    clock,
  );

  /** Sends a token request once, and checks the ID token in its response with newer keys if it does not match those that are known. */
  async function exchange<Tokens>(grant: (configuration: Configuration) => Promise<Tokens>): Promise<Tokens> {
    const client = await loadProtocol();
    let token: Promise<Response> | undefined;
    let failed: KeyFetch | undefined;
    // The first call sends the request; the second one checks the same response with newer keys.
    const attempt = async (fetched: KeyFetch | undefined) => {
      // A separate one per call, since the library caches the keys in a configuration.
      const configuration = await configure(party, metadata);
      configuration[client.customFetch] = async (url, options) => {
        if (options.method !== 'GET') return (await (token ??= send(url, options))).clone();
        const used = fetched ?? keys.get();
        const response = toResponse(await used.response);
        if (response.status === 200) failed = used;
        return response;
      };
      return grant(configuration);
    };
    try {
      return await attempt(undefined);
    } catch (error) {
      // Keys are fetched last, so an error after that means that the token does not match them. There may be newer
      // ones.
      const newer = failed && keys.findNewer(failed);
      if (newer === undefined) throw error;
      return attempt(newer);
    }
  }

  return {
    metadata,
    authorizationUrl: async (
      { state, nonce, codeVerifier },
      { loginHint, isLoginForced, isCheckedAgain },
    ) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadProtocol();
      const url = buildAuthorizationUrl(await configure(party, metadata), {
        redirect_uri: party.redirectUri,
        scope:
          isCheckedAgain && metadata.scopes_supported?.includes('offline_access') === true
            ? 'openid profile email offline_access'
            : 'openid profile email',
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
      const tokens = await exchange((configuration) =>
        client.authorizationCodeGrant(configuration, atRedirectUri(callbackUrl, party.redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        }),
      );
      const { id_token: idToken = '', access_token: accessToken, refresh_token: refreshToken } = tokens;
      return { claims: tokens.claims() ?? {}, idToken, accessToken, refreshToken };
    },

    refresh: async (sent) => {
      const client = await loadProtocol();
      try {
        // Without a scope, it is that of the sign-in (RFC 6749, section 6).
        const tokens = await exchange((configuration) => client.refreshTokenGrant(configuration, sent));
        const { access_token: accessToken, refresh_token: refreshToken } = tokens;
        return { claims: tokens.claims(), accessToken, refreshToken };
      } catch (error) {
        const refused = error instanceof client.ResponseBodyError ? readRefusal(error) : undefined;
        if (refused === undefined) throw error;
        return refused;
      }
    },

    userInfo: async ({ claims, accessToken }) => {
      const client = await loadProtocol();
      const configuration = await configure(party, metadata);
      configuration[client.customFetch] = async (url, options) =>
        // The keys check the response if it is signed.
        url === metadata.jwks_uri ? toResponse(await keys.get().response) : send(url, options);
      return fetchUserInfo(configuration, accessToken, {
        subject: String(claims['sub']),
        isHidden: outgoing.isPrivate(metadata.userinfo_endpoint ?? '', party.organizationId),
      });
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
    await createClientAuthentication(party, metadata),
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
