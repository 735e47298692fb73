import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createIdentityProviders } from '../../../src/server/sso/protocol/provider/identity-provider.ts';
import { startRecorder } from '../../support/network/recorder.ts';
import { raw, type Bends, type RawResponse } from '../../support/sso/hostile-provider.ts';
import {
  describeTenancies,
  expectControl,
  expectRefusal,
  type HostileCase,
} from '../../support/sso/hostile-world.ts';

const document = (changes: object): Bends => ({ discovery: (honest) => ({ ...honest, ...changes }) });
const issuer = (change: (issuer: string) => unknown): Bends => ({
  discovery: (honest) => ({ ...honest, issuer: change(String(honest['issuer'])) }),
});
const at = (part: 'discovery' | 'keys' | 'token', response: RawResponse): Bends => ({
  [part]: () => raw(response),
});
const redirect = (location: string, status = 302): RawResponse => ({ status, headers: { location } });
const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
/** The token endpoint returns an error of OAuth. */
const failed = (error: unknown, error_description?: string): Bends =>
  at('token', { status: 400, headers: json, body: JSON.stringify({ error, error_description }) });
const challenge = { ...json, 'www-authenticate': 'Basic realm="x"' };

const large = `{"issuer":"${'x'.repeat(300 * 1024)}"}`;
const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const withDepth = (honest: object): string =>
  JSON.stringify(honest).replace('{', `{"claims_supported":${deep},`);

/** The hosts of the providers are private, so nothing of their responses is shown but codes that are known. */
const hiddenIssuer = [
  'issuer_mismatch',
  /^The discovery document names the issuer that is not shown, which/,
] as const;
const noObject = ['discovery_invalid', /JSON object/] as const;
const tooLarge = ['provider_unreachable', /larger than 256 KiB/] as const;
const notHttps = ['address_refused', /must use https/] as const;
const notValid = ['token_invalid', /is not valid/] as const;
const invalid = (name: string) =>
  ['discovery_invalid', new RegExp(`The ${name} in the discovery document is not valid`)] as const;

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const invalidEndpoints: unknown[] = [
  undefined,
  null,
  '',
  7,
  {},
  { toString: 1 },
  ['http://127.0.0.1:9/x'],
  '/token',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://example.com/x',
];

/** Documents and keys; `inside` is a host of the internal network. */
const documentCases = (inside: string): HostileCase[] => [
  ['another issuer', document({ issuer: 'https://x.example/v2.0' }), ...hiddenIssuer],
  ['no issuer', document({ issuer: undefined }), ...hiddenIssuer],
  ['an issuer that is a list', issuer((honest) => [honest]), ...hiddenIssuer],
  ['the issuer template', issuer((honest) => honest.replace(/[0-9a-f-]{36}/, '{tenantid}')), ...hiddenIssuer],
  ['an issuer with an additional slash', issuer((honest) => `${honest}/`), ...hiddenIssuer],
  ['invalid JSON', at('discovery', { body: '<html>Sign in</html>' }), ...noObject],
  ['a list', { discovery: () => [] }, ...noObject],
  ['null', { discovery: () => null }, ...noObject],
  ['100,000 levels', at('discovery', { body: deep }), ...noObject],
  ['300 KiB', at('discovery', { body: large }), ...tooLarge],
  ['status 500', at('discovery', { status: 500 }), 'discovery_failed', /status 500/],
  ['status 204', at('discovery', { status: 204 }), 'discovery_failed', /status 204/],
  ['a redirect to inside', at('discovery', redirect(`${inside}/x`)), 'discovery_failed', /status 302/],
  [
    'a redirect to elsewhere',
    at('discovery', redirect('https://example.com/', 307)),
    'discovery_failed',
    /status 307/,
  ],
  ...endpoints.flatMap((name) =>
    invalidEndpoints.map((value): HostileCase => [
      `${name}: ${JSON.stringify(value) ?? 'missing'}`,
      document({ [name]: value }),
      ...invalid(name),
    ]),
  ),
  ['a token endpoint inside', document({ token_endpoint: `${inside}/token` }), ...notHttps],
  ['keys inside', document({ jwks_uri: `${inside}/keys` }), ...notHttps],
  [
    'keys in the metadata service of a cloud',
    document({ jwks_uri: 'http://169.254.169.254/latest/meta-data/' }),
    ...notHttps,
  ],
  [
    'a token endpoint with a user name and a password',
    {
      discovery: (honest) => ({
        ...honest,
        token_endpoint: String(honest['token_endpoint']).replace('://', '://a:b@'),
      }),
    },
    'address_refused',
    /is not a valid URL/,
  ],
  ['a token endpoint with http', document({ token_endpoint: 'http://example.com/token' }), ...notHttps],
];

/** Keys, and responses of the token endpoint. */
const responseCases = (inside: string): HostileCase[] => [
  ['keys of 300 KiB', at('keys', { body: large }), ...tooLarge],
  ['keys behind a redirect', at('keys', redirect(`${inside}/keys`)), ...notValid],
  ['keys with status 500', at('keys', { status: 500 }), ...notValid],
  [
    'a wrong secret',
    failed('invalid_client', 'AADSTS7000215: Invalid client secret provided.'),
    'AADSTS7000215',
    /client secret is wrong/,
  ],
  [
    'an expired secret',
    failed('invalid_client', 'AADSTS7000222: The provided client secret keys are expired.'),
    'AADSTS7000222',
    /has expired/,
  ],
  [
    'an unknown Entra code',
    failed('invalid_request', 'AADSTS99999: \u001b[31mSomething\r\nelse'),
    'AADSTS99999',
    /^The identity provider returned the error invalid_request: AADSTS99999$/,
  ],
  [
    'an Entra code with 100,000 digits',
    failed('invalid_request', `AADSTS${'7'.repeat(100_000)}`),
    'invalid_request',
    /^The identity provider returned the error invalid_request$/,
  ],
  ['an error of 100,000 characters', failed('e'.repeat(100_000)), 'an error that is not shown', /not shown$/],
  ['an error that is an object', failed({ error: 'x' }), ...notValid],
  [
    'an error in HTML',
    at('token', { status: 400, headers: html, body: '<script>alert(1)</script>' }),
    ...notValid,
  ],
  [
    'an error with a challenge',
    at('token', { status: 401, headers: challenge, body: '{"error":"invalid_client"}' }),
    ...notValid,
  ],
  ['a token in HTML', at('token', { headers: html, body: '<p>' }), ...notValid],
  ['a token endpoint with status 500', at('token', { status: 500, body: 'x' }), ...notValid],
  ['a token endpoint that redirects', at('token', redirect(`${inside}/token`, 307)), ...notValid],
  ['a token of 300 KiB', at('token', { headers: json, body: large }), ...tooLarge],
];

/** Anyone can send a code that the provider does not know. */
const malformedCode: HostileCase = [
  'a malformed code',
  failed('invalid_request', 'AADSTS9002313: Invalid request. Request is malformed or invalid.'),
  'AADSTS9002313',
  /malformed/,
];

describeTenancies('a provider is refused for', (world, engine) => {
  test('its documents and responses, and no other host is contacted', async (context) => {
    const recorder = await startRecorder(context);
    const tenancy = await world.createTenancy();
    await expectControl(tenancy, 'at first');
    tenancy.provider.bend({ discovery: (honest) => raw({ body: withDepth(honest) }) });
    await expectControl(tenancy, '100,000 levels in a field that nobody reads');
    // Documents are checked before the database is involved.
    const documents = engine === 'SQLite' ? documentCases(recorder.url) : [];
    for (const hostile of [...documents, ...responseCases(recorder.url)])
      await context.test(hostile[0], () => expectRefusal(tenancy, hostile));
    await context.test(malformedCode[0], () => expectRefusal(tenancy, malformedCode, { isOfBrowser: true }));
    assert.deepEqual(recorder.requests, []);
  });

  test('an invalid sign-out URL, which still signs out here', async () => {
    const tenancy = await world.createTenancy();
    const { server, provider } = tenancy;
    for (const endpoint of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      7,
      ['https://x.example'],
      {},
      { toString: 1 },
      null,
    ]) {
      provider.bend(document({ end_session_endpoint: endpoint }));
      const cookie = await expectControl(tenancy, JSON.stringify(endpoint));
      const out = await server.call('POST /api/auth/sign-out', { headers: { cookie } });
      assert.ok([200, 204].includes(out.status), out.text);
      assert.equal(out.body?.logoutUrl, undefined, JSON.stringify(endpoint));
    }
  });

  test('pointing at a private host that is allowed for another organization', async () => {
    const [hostile, victim] = [await world.createTenancy(), await world.createTenancy()];
    const asked = victim.provider.requests.length;
    const at = `//${victim.provider.host}/inside`;
    for (const name of ['token_endpoint', 'jwks_uri']) {
      await expectRefusal(hostile, [name, document({ [name]: `http:${at}` }), ...notHttps]);
      await expectRefusal(hostile, [`${name}, https`, document({ [name]: `https:${at}` }), ...invalid(name)]);
    }
    assert.equal(victim.provider.requests.length, asked);
    await expectControl(victim, 'the other');
  });
});

describe('a discovery URL with https', () => {
  const origin = 'https://idp.example';
  const honest = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
  };
  const party = {
    organizationId: 'x',
    configurationId: 'x',
    version: 1,
    clientId: 'x',
    clientSecret: 'x',
    discoveryUrl: `${origin}/.well-known/openid-configuration`,
    tenantId: undefined,
    redirectUri: 'https://atrium.example/x',
  };
  const binding = { state: 'x', nonce: 'x', codeVerifier: 'x'.repeat(43) };
  const providersOf = (document: object, respond = async (): Promise<Response> => assert.fail()) =>
    createIdentityProviders({
      fetch: async (url) => (url === party.discoveryUrl ? Response.json(document) : respond()),
      fetchShown: async () => assert.fail(),
      isPrivate: () => false,
      close: async () => undefined,
    });
  const start = (document: object) =>
    providersOf(document).authorizationUrl(party, binding, {
      loginHint: undefined,
      isLoginForced: false,
      isCheckedAgain: false,
    });

  test('requires https of every endpoint', async () => {
    assert.match(await start(honest), /^https:\/\/idp\.example\/authorize\?/);
    for (const name of endpoints) {
      await assert.rejects(start({ ...honest, [name]: honest[name].replace('https', 'http') }), {
        name: 'SignInRefusal',
        code: 'discovery_invalid',
      });
    }
  });

  test('shows what a public host returned, in short and without control characters', async () => {
    for (const [issuer, message] of [
      ['https://x.example/v2.0', /names the issuer "https:\/\/x\.example\/v2\.0", which/],
      [undefined, /names the issuer none, which/],
      [[origin], /names the issuer \["https:/],
      [`${origin}/{tenantid}`, /\{tenantid\}/],
    ] as const)
      await assert.rejects(start({ ...honest, issuer }), { code: 'issuer_mismatch', message });
    for (const [error, error_description, code, message] of [
      [
        'invalid_request',
        'AADSTS99999: \u001b[31mSomething\r\nelse',
        'AADSTS99999',
        /^\P{C}*Something else$/u,
      ],
      ['invalid_request', `AADSTS${'7'.repeat(100_000)}`, 'invalid_request', /AADSTS7777/],
      ['e'.repeat(100_000), undefined, 'e'.repeat(100), /eeee/],
    ] as const) {
      const respond = async () => Response.json({ error, error_description }, { status: 400 });
      const callback = new URL(`${party.redirectUri}?code=x&state=x`);
      const redeemed = providersOf(honest, respond).redeem(party, binding, callback, () => []);
      await assert.rejects(redeemed, (refusal: Error & { code: string }) => {
        assert.ok(refusal.message.length < 1_000, `${refusal.message.length} characters`);
        assert.match(refusal.message, message);
        return refusal.code === code;
      });
    }
  });

  // OpenID Connect Discovery 1.0, section 4.1.
  test('may have an issuer that ends with one slash', async () => {
    assert.match(await start({ ...honest, issuer: `${origin}/` }), /^https:\/\/idp\.example\/authorize\?/);
    for (const end of ['//', '/x', '/x/', '/?', '/#']) {
      await assert.rejects(start({ ...honest, issuer: `${origin}${end}` }), { code: 'issuer_mismatch' });
    }
  });
});
