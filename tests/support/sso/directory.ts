import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importX509,
  jwtVerify,
  type CryptoKey,
  type JWK,
} from 'jose';
import { Provider, type Configuration } from 'oidc-provider';
import { directoryStore } from './directory-store.ts';

/** A person of a directory, with the claims of their tokens. */
export interface DirectoryPerson {
  /** `oid` at Entra, `sub` at AD FS. */
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** A person who is not assigned to the application is redirected back with Entra's error. */
  readonly isUnassigned?: boolean;
}

/** A real OpenID provider in this process, in the shape of Microsoft Entra ID or of AD FS. */
export interface Directory {
  readonly issuer: string;
  readonly discoveryUrl: string;
  /** `host:port`, for ATRIUM_SSO_PRIVATE_HOSTS. */
  readonly host: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The tenant, if it imitates Entra. */
  readonly tenantId: string | undefined;
  /** Adds a person, or replaces the one with the same subject. */
  addPerson(person: DirectoryPerson): void;
  /** Removes a person, as if the account was disabled. */
  disable(subject: string): void;
  /** Whether sign-ins get a refresh token. Default: true. */
  issuesRefreshTokens: boolean;
  /** How many requests it receives with refresh tokens. */
  readonly refreshCount: number;
  /** While set, the token endpoint responds with this status and OAuth error. */
  outage: { readonly status: number; readonly error?: string } | undefined;
  /**
   * Requires the client to authenticate with one of these certificates (PEM) instead of its secret. Undefined: with its secret.
   */
  requireCertificates(certificates: readonly string[] | undefined): Promise<void>;
  /** While set, the token endpoint redirects there, with the method and body (RFC 9110, section 15.4.8). */
  redirectToken: string | undefined;
  /** Requires the client to authenticate with a token of a host that it trusts, as Entra does. Undefined: with its secret. */
  trustHost(trust: HostTrust | undefined): void;
  /** The client assertions that it has received: their headers and claims. */
  readonly assertions: { readonly header: object; readonly claims: Record<string, unknown> }[];
  /** Allows the client a redirect URI. */
  allowRedirect(uri: string): void;
  /** Follows the provider's pages like a person's browser. Returns the URL to which it redirects back. */
  signIn(authorizationUrl: string, subject: string): Promise<string>;
  /**
   * Returns the body of the request with which the provider ends a session of its own at its client's logout URL, instead of
   * sending it. `providerSessionId` is the claim `sid` of the session's ID token.
   */
  signOut(subject: string, providerSessionId: string): Promise<string>;
  /** Replaces the key with a new one with another id. The old one is no longer published. */
  rotateKey(): Promise<void>;
  stop(): Promise<void>;
}

/** The federated identity credential of an app registration. */
export interface HostTrust {
  readonly issuer: string;
  readonly subject: string;
  /** What the host signs its tokens with. */
  readonly key: CryptoKey;
  readonly now: () => number;
}

const redirectsAtMost = 10;

const claimNames = [
  'tid',
  'oid',
  'ver',
  'name',
  'email',
  'email_verified',
  'preferred_username',
  'upn',
  'groups',
  'roles',
  '_claim_names',
  '_claim_sources',
  'hasgroups',
  'xms_edov',
  'hd',
];

/**
 * Starts a directory on a free port of the loopback interface: Entra with a tenant, AD FS without, or any other provider with the
 * path of its issuer.
 */
export async function startDirectory({
  tenantId,
  path = tenantId === undefined ? '/adfs' : `/${tenantId}/v2.0`,
}: { tenantId?: string; path?: string } = {}): Promise<Directory> {
  const http: Server = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const issuer = `http://${host}${path}`;
  const people = new Map<string, DirectoryPerson>();
  const redirectUris = new Set<string>();
  /** Of the last request to the client's logout URL. */
  let logoutBody = '';
  const client = { clientId: 'atrium', clientSecret: 'secret-of-the-directory-canary' };

  const store = directoryStore();
  const behavior = { issuesRefreshTokens: true, outage: undefined as Directory['outage'], refreshCount: 0 };

  let certificates: readonly string[] | undefined;
  let trust: HostTrust | undefined;
  let redirectToken: string | undefined;
  const assertions: Directory['assertions'] = [];

  const createConfiguration = async (): Promise<Configuration> => ({
    adapter: store,
    assertJwtClientAuthClaimsAndHeader: async (_context, claims, header) => {
      assertions.push({ header, claims: { ...claims } });
    },
    enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'PS256'] },
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: ['http://localhost/unused'],
        grant_types: ['authorization_code', 'refresh_token'],
        ...(certificates === undefined
          ? { token_endpoint_auth_method: 'client_secret_post' as const }
          : {
              token_endpoint_auth_method: 'private_key_jwt' as const,
              jwks: { keys: await Promise.all(certificates.map(publicKeyOf)) },
            }),
        id_token_signed_response_alg: 'RS256',
        post_logout_redirect_uris: ['http://localhost:3000/'],
        backchannel_logout_uri: 'http://localhost/unused',
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub', ...claimNames], profile: [], email: [] },
    conformIdTokenClaims: false,
    cookies: { keys: ['the key of the test directory'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    fetch: async (_url, { body } = {}) => {
      logoutBody = String(body as URLSearchParams);
      return new Response();
    },
    // As Entra does. By the standard, people would have to consent each time.
    issueRefreshToken: async () => behavior.issuesRefreshTokens,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    findAccount: (_context, id) => {
      const person = people.get(id);
      if (person === undefined) return undefined;
      const own = tenantId === undefined ? {} : { tid: tenantId, oid: id, ver: '2.0' };
      return { accountId: id, claims: () => ({ sub: id, ...own, ...person.claims }) };
    },
    interactions: { url: (_context, interaction) => `${path}/interaction/${interaction.uid}` },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      RefreshToken: 600,
    },
  });
  // Created when it is first used: not every test needs each directory.
  let created: Promise<Provider> | undefined;
  let currentKey = (firstKey ??= newSigningKey());
  async function createProvider(key: Promise<JWK>): Promise<Provider> {
    const provider = new Provider(issuer, { ...(await createConfiguration()), jwks: { keys: [await key] } });
    // The redirect URI is only known when the configuration is stored.
    provider.Client.prototype.redirectUriAllowed = (uri: string) => redirectUris.has(uri);
    provider.on('grant.success', ({ oidc }) => {
      if (oidc.params?.['grant_type'] === 'refresh_token') behavior.refreshCount += 1;
    });
    provider.on('grant.error', ({ oidc }) => {
      if (oidc.params?.['grant_type'] === 'refresh_token') behavior.refreshCount += 1;
    });
    provider.on('server_error', (_context, error) => {
      throw error;
    });
    return provider;
  }
  // The person is named in a cookie, since nobody enters anything.
  http.on('request', (request, response) => {
    void (async () => {
      if (!request.url?.startsWith(path)) {
        response.writeHead(404).end();
        return;
      }
      request.url = request.url.slice(path.length) || '/';
      created ??= createProvider(currentKey);
      const provider = await created;
      Object.assign(request, { originalUrl: `${path}${request.url}`, baseUrl: path });
      if (request.url === '/token' && behavior.outage !== undefined) {
        behavior.refreshCount += 1;
        const { status, error } = behavior.outage;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
        return;
      }
      if (request.url === '/token' && redirectToken !== undefined) {
        response.writeHead(307, { location: redirectToken }).end();
        return;
      }
      if (request.url === '/token' && trust !== undefined) {
        const refusal = await exchangeHostToken(request, { trust, assertions, ...client });
        if (refusal !== undefined) {
          response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
          return;
        }
      }
      if (!request.url.startsWith('/interaction/')) {
        await provider.callback()(request, response);
        return;
      }
      const details = await provider.interactionDetails(request, response);
      const accountId = /test_person=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
      if (people.get(accountId)?.isUnassigned === true) {
        await provider.interactionFinished(request, response, notAssigned);
        return;
      }
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      grant.addOIDCScope('openid profile email');
      const grantId = await grant.save();
      const result = details.prompt.name === 'login' ? { login: { accountId } } : { consent: { grantId } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    })();
  });

  async function signIn(authorizationUrl: string, subject: string): Promise<string> {
    const jar = new Map([['test_person', subject]]);
    let url = authorizationUrl;
    for (let hop = 0; hop < redirectsAtMost; hop += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`The directory returned status ${response.status}: ${await response.text()}`);
      url = new URL(location, url).href;
      if (new URL(url).host !== host) return url;
    }
    throw new Error('The directory redirects endlessly.');
  }

  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    host,
    ...client,
    tenantId,
    addPerson: (person) => people.set(person.subject, person),
    disable: (subject) => people.delete(subject),
    get issuesRefreshTokens() {
      return behavior.issuesRefreshTokens;
    },
    set issuesRefreshTokens(value) {
      behavior.issuesRefreshTokens = value;
    },
    get outage() {
      return behavior.outage;
    },
    set outage(value) {
      behavior.outage = value;
    },
    get refreshCount() {
      return behavior.refreshCount;
    },
    allowRedirect: (uri) => redirectUris.add(uri),
    signIn,
    signOut: async (subject, providerSessionId) => {
      const provider = await created;
      // Sound because the library has the method, which its types leave out.
      const known = (await provider?.Client.find(client.clientId)) as unknown as {
        backchannelLogout(subject: string, sessionId: string): Promise<void>;
      };
      await known.backchannelLogout(subject, providerSessionId);
      return logoutBody;
    },
    get redirectToken() {
      return redirectToken;
    },
    set redirectToken(value) {
      redirectToken = value;
    },
    trustHost: (trusted) => {
      trust = trusted;
    },
    requireCertificates: async (required) => {
      certificates = required;
      created = createProvider(currentKey);
      await created;
    },
    assertions,
    rotateKey: async () => {
      currentKey = newSigningKey();
      created = createProvider(currentKey);
      await created;
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const notAssigned = {
  error: 'access_denied',
  error_description: 'AADSTS50105: The signed in user is not assigned to a role for the application.',
};

/**
 * Checks the token of a host in a token request, and puts the client's secret in its place, since the library only knows assertions
 * that clients sign themselves. Returns Entra's error if the token is not trusted.
 */
async function exchangeHostToken(
  request: IncomingMessage,
  {
    trust: { issuer, subject, key, now },
    assertions,
    clientId,
    clientSecret,
  }: Pick<Directory, 'assertions' | 'clientId' | 'clientSecret'> & { readonly trust: HostTrust },
): Promise<{ error: string; error_description: string } | undefined> {
  const form = new URLSearchParams(await text(request));
  const { client_assertion: assertion = '', client_assertion_type: type, ...rest } = Object.fromEntries(form);
  const invalid = (description: string) => ({ error: 'invalid_client', error_description: description });
  if (
    type !== 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' ||
    rest['client_secret'] !== undefined
  )
    return invalid('AADSTS7000218: The request body must contain: client_assertion or client_secret.');
  if (rest['client_id'] !== clientId) return invalid('AADSTS700016: The application was not found.');
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, key, {
      issuer,
      audience: 'api://AzureADTokenExchange',
      currentDate: new Date(now()),
    });
    assertions.push({ header: protectedHeader, claims: payload });
    if (payload.sub !== subject)
      return invalid(`AADSTS700213: No matching federated identity record found for '${assertion}'.`);
  } catch {
    assertions.push({ header: decodeProtectedHeader(assertion), claims: {} });
    return invalid(`AADSTS700027: The client assertion '${assertion}' failed validation.`);
  }
  Object.assign(request, { body: { ...rest, client_secret: clientSecret } });
  return undefined;
}

async function publicKeyOf(certificate: string): Promise<JWK> {
  return exportJWK(await importX509(certificate, 'RS256', { extractable: true }));
}

let keyCount = 0;
/** The key with which every directory of the process starts, since creating one takes long. */
let firstKey: Promise<JWK> | undefined;

/** Creates an RSA key with a new id, for RS256, which Entra and AD FS sign with. */
async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  keyCount += 1;
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: `key ${keyCount}` };
}
