import { hash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, type CompactJWSHeaderParameters, type JWK } from 'jose';

type Json = Record<string, unknown>;

/** A response of a provider that is not simply JSON. */
export interface RawResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sends nothing, or only headers and the start of a body. */
  readonly stall?: 'headers' | 'body';
}

/** How a provider deviates from an honest one. Parts that are left out stay honest. */
export interface Bends {
  readonly discovery?: (document: Json) => unknown;
  readonly keys?: (keys: JWK[]) => unknown;
  readonly header?: (header: Json) => Json;
  readonly claims?: (claims: Json) => Json;
  /** Changes the text of the payload, for what `JSON.stringify` doesn't produce. */
  readonly payload?: (text: string) => string;
  readonly sign?: (header: Json, payload: string) => string | Promise<string>;
  readonly token?: (response: Json) => unknown;
  /** Responds to a refresh token, which is otherwise refused. */
  readonly refresh?: (refreshToken: string) => unknown;
  /** Publishes a UserInfo endpoint that returns this. */
  readonly userInfo?: () => unknown;
  /** By default, the client sends its secret in the form. */
  readonly authentication?: 'basic';
  /** Changes the parameters with which the browser returns. */
  readonly callback?: (parameters: URLSearchParams) => void;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The secrets of one sign-in, which must not appear anywhere else. */
export interface Trace {
  state: string;
  nonce: string;
  code: string;
  codeVerifier: string;
  idToken: string;
}

/** An OpenID provider written by hand, every part of which can deviate. */
export interface HostileProvider {
  readonly issuer: string;
  readonly discoveryUrl: string;
  /** `host:port`, for ATRIUM_SSO_PRIVATE_HOSTS. */
  readonly host: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tenantId: string;
  /** Every request since the start, in order. */
  readonly requests: ReceivedRequest[];
  readonly trace: Trace;
  /** Sets the deviations, which replace earlier ones. */
  bend(bends: Bends): void;
  /** Sets the claims of the person who signs in next, which take precedence over those of the protocol. */
  setPerson(claims: Json): void;
  /** Requests the authorization URL. Returns the URL to which the provider redirects. */
  authorize(authorizationUrl: string): Promise<URL>;
  stop(): Promise<void>;
}

export const raw = (response: RawResponse): RawResponse & { isRaw: true } => ({ ...response, isRaw: true });
const isRawResponse = (value: unknown): value is RawResponse =>
  typeof value === 'object' && value !== null && 'isRaw' in value;

const rsa = async (kid: string) => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } as JWK };
};

/** The key that providers publish, one that they don't publish, and one of another kind that some publish. */
export const ownKey = await rsa('own');
export const foreignKey = await rsa('own');
export const ecKey = await (async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' } as JWK };
})();

const clientId = 'atrium-at-a-hostile-provider';
const clientSecret = 'canary-client-secret-9f2b71c04d';
const accessToken = 'canary-access-token-5e0d92ab17';

/** Signs a token correctly, with any key. */
export function signBy(key: CryptoKey | Uint8Array, header: Json, payload: string): Promise<string> {
  return (
    new CompactSign(new TextEncoder().encode(payload))
      // Sound because the library checks the header itself.
      .setProtectedHeader(header as unknown as CompactJWSHeaderParameters)
      .sign(key, { crit: { exp: true, 'https://example.com/x': true } })
  );
}

/** Starts a provider on a free port of the loopback interface, in the shape of a tenant of Microsoft Entra ID. */
export async function startHostileProvider(tenantId: string): Promise<HostileProvider> {
  const requests: ReceivedRequest[] = [];
  const grants = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  const trace: Trace = { state: '', nonce: '', code: '', codeVerifier: '', idToken: '' };
  let bends: Bends = {};
  let person: Json = {};

  const http = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const path = `/${tenantId}/v2.0`;
  const issuer = `http://${host}${path}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    requests.push({ method: request.method ?? '', path: request.url ?? '', body });
    const url = new URL(request.url ?? '', issuer);
    switch (url.pathname) {
      // Without the tenant in its path, it is not in the shape of Entra.
      case '/.well-known/openid-configuration':
      case `${path}/.well-known/openid-configuration`:
        return send(response, await bent(bends.discovery, honestDocument()));
      case `${path}/keys`:
        return send(
          response,
          bends.keys === undefined ? { keys: [ownKey.jwk] } : await bends.keys([ownKey.jwk]),
        );
      case `${path}/authorize`:
        return redirectBack(response, url.searchParams);
      case `${path}/token`:
        return send(response, await tokenResponse(new URLSearchParams(body), request.headers.authorization));
      case `${path}/userinfo`: {
        const isAllowed = request.headers.authorization === `Bearer ${accessToken}`;
        return send(response, isAllowed ? await bends.userInfo?.() : raw({ status: 401 }));
      }
      default:
        return send(response, raw({ status: 404, body: 'Nothing here' }));
    }
  }

  const honestDocument = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    end_session_endpoint: `${issuer}/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...(bends.userInfo !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
  });

  function redirectBack(response: ServerResponse, query: URLSearchParams): void {
    const read = (name: string) => query.get(name) ?? '';
    const code = `code-${randomBytes(16).toString('hex')}`;
    grants.set(code, {
      nonce: read('nonce'),
      challenge: read('code_challenge'),
      redirectUri: read('redirect_uri'),
    });
    Object.assign(trace, { state: read('state'), nonce: read('nonce'), code });
    const parameters = new URLSearchParams({ code, state: read('state') });
    bends.callback?.(parameters);
    const location = `${read('redirect_uri')}?${parameters.toString()}`;
    send(response, raw({ status: 302, headers: { location } }));
  }

  /** Whether a header has the client's id and secret (RFC 6749, section 2.3.1). */
  function isBasic(authorization = ''): boolean {
    const credentials = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
    return credentials.split(':').map(decodeURIComponent).join(':') === `${clientId}:${clientSecret}`;
  }

  async function tokenResponse(form: URLSearchParams, authorization?: string): Promise<unknown> {
    const grant = grants.get(form.get('code') ?? '');
    const codeVerifier = form.get('code_verifier') ?? '';
    trace.codeVerifier = codeVerifier;
    // An honest provider's checks (RFC 6749, section 4.1.3; RFC 7636, section 4.6): without them, a control would prove nothing.
    const isClient =
      bends.authentication === 'basic'
        ? isBasic(authorization) && !form.has('client_secret')
        : form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    if (!isClient) return raw({ status: 401, headers: json, body: '{"error":"invalid_client"}' });
    if (form.get('grant_type') === 'refresh_token' && bends.refresh !== undefined)
      return bends.refresh(form.get('refresh_token') ?? '');
    const isGranted =
      grant !== undefined &&
      form.get('redirect_uri') === grant.redirectUri &&
      hash('sha256', codeVerifier, 'base64url') === grant.challenge;
    if (!isGranted) return raw({ status: 400, headers: json, body: '{"error":"invalid_grant"}' });
    grants.delete(form.get('code') ?? '');
    const now = Math.floor(Date.now() / 1000);
    const claims = bent(bends.claims, {
      iss: issuer,
      aud: clientId,
      tid: tenantId,
      sub: 'pairwise-subject',
      ver: '2.0',
      nonce: grant.nonce,
      iat: now,
      nbf: now,
      exp: now + 3600,
      ...person,
    });
    const header = bent(bends.header, { alg: 'RS256', kid: 'own', typ: 'JWT' });
    const text = JSON.stringify(claims);
    const payload = bends.payload === undefined ? text : bends.payload(text);
    trace.idToken = await (bends.sign ?? ((head, body) => signBy(ownKey.privateKey, head, body)))(
      header as Json,
      payload,
    );
    return bent(bends.token, {
      token_type: 'Bearer',
      access_token: accessToken,
      expires_in: 3600,
      id_token: trace.idToken,
    });
  }

  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    host,
    clientId,
    clientSecret,
    tenantId,
    requests,
    trace,
    bend: (next) => {
      bends = next;
    },
    setPerson: (claims) => {
      person = claims;
    },
    async authorize(authorizationUrl) {
      const there = await fetch(authorizationUrl, { redirect: 'manual' });
      return new URL(there.headers.get('location') ?? '');
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const json = { 'content-type': 'application/json' };

function bent<Part>(bend: ((part: Part) => unknown) | undefined, part: Part): unknown {
  return bend === undefined ? part : bend(part);
}

function send(response: ServerResponse, sent: unknown): void {
  if (!isRawResponse(sent)) {
    response.writeHead(200, json).end(JSON.stringify(sent));
    return;
  }
  const { status = 200, headers = {}, body = '', stall } = sent;
  if (stall === 'headers') return;
  response.writeHead(status, headers);
  if (stall === 'body') response.write('{"issuer":');
  else response.end(body);
}
