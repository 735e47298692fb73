import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createIdentityProviders } from '../../src/server/sso/protocol/identity-provider.ts';
import { raw } from '../support/sso/hostile-provider.ts';
import {
  expectControl,
  expectRefusal,
  startTenancies,
  type HostileCase,
} from '../support/sso/hostile-world.ts';
import { startRecorder } from '../support/network/recorder.ts';

type Document = Record<string, unknown>;
const discovery = (changes: Document | ((document: Document) => Document)): HostileCase['bends'] => ({
  discovery: (honest) => (typeof changes === 'function' ? changes(honest) : { ...honest, ...changes }),
});
const answers = (
  part: 'discovery' | 'keys' | 'token',
  answer: Parameters<typeof raw>[0],
): HostileCase['bends'] => ({
  [part]: () => raw(answer),
});
const json = { 'content-type': 'application/json' };
const failed = (body: object): HostileCase['bends'] =>
  answers('token', { status: 400, headers: json, body: JSON.stringify(body) });
const large = `{"issuer":"${'x'.repeat(300 * 1024)}"}`;
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

const withDepth = (document: object): string =>
  JSON.stringify(document).replace('{', `{"claims_supported":${deep},`);

const cases = (inside: string): HostileCase[] => [
  {
    name: 'another issuer',
    bends: discovery({ issuer: 'https://elsewhere.example/v2.0' }),
    refusal: ['issuer_mismatch', /elsewhere\.example/],
  },
  { name: 'no issuer', bends: discovery({ issuer: undefined }), refusal: ['issuer_mismatch', /issuer none/] },
  {
    name: 'an issuer that is a list',
    bends: discovery(({ issuer, ...rest }) => ({ ...rest, issuer: [issuer] })),
    refusal: ['issuer_mismatch', /names the issuer \[/],
  },
  {
    name: 'the issuer template',
    bends: discovery(({ issuer, ...rest }) => ({
      ...rest,
      issuer: String(issuer).replace(/[0-9a-f-]{36}/, '{tenantid}'),
    })),
    refusal: ['issuer_mismatch', /\{tenantid\}/],
  },
  {
    name: 'an issuer with an additional slash',
    bends: discovery(({ issuer, ...rest }) => ({ ...rest, issuer: `${String(issuer)}/` })),
    refusal: ['issuer_mismatch', /v2\.0\//],
  },
  {
    name: 'invalid JSON',
    bends: answers('discovery', { body: '<html>Sign in</html>' }),
    refusal: ['discovery_invalid', /JSON object/],
  },
  { name: 'a list', bends: { discovery: () => [] }, refusal: ['discovery_invalid', /JSON object/] },
  { name: 'null', bends: { discovery: () => null }, refusal: ['discovery_invalid', /JSON object/] },
  {
    name: '100,000 levels',
    bends: answers('discovery', { body: deep }),
    refusal: ['discovery_invalid', /JSON object/],
  },
  {
    name: '300 KiB',
    bends: answers('discovery', { body: large }),
    refusal: ['provider_unreachable', /larger than 256 KiB/],
  },
  {
    name: 'status 500',
    bends: answers('discovery', { status: 500 }),
    refusal: ['discovery_failed', /status 500/],
  },
  {
    name: 'status 204',
    bends: answers('discovery', { status: 204 }),
    refusal: ['discovery_failed', /status 204/],
  },
  {
    name: 'a redirect to the internal network',
    bends: answers('discovery', { status: 302, headers: { location: `${inside}/x` } }),
    refusal: ['discovery_failed', /status 302/],
  },
  {
    name: 'a redirect to elsewhere',
    bends: answers('discovery', { status: 307, headers: { location: 'https://example.com/' } }),
    refusal: ['discovery_failed', /status 307/],
  },
  ...['authorization_endpoint', 'token_endpoint', 'jwks_uri'].flatMap((name): HostileCase[] =>
    [
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
    ].map((value) => ({
      name: `${name}: ${JSON.stringify(value) ?? 'missing'}`,
      bends: discovery({ [name]: value }),
      refusal: ['discovery_invalid', new RegExp(`The ${name} in the discovery document is not valid`)],
    })),
  ),
  {
    name: 'a token endpoint in the internal network',
    bends: discovery({ token_endpoint: `${inside}/token` }),
    refusal: ['address_refused', /must use https/],
  },
  {
    name: 'keys in the internal network',
    bends: discovery({ jwks_uri: `${inside}/keys` }),
    refusal: ['address_refused', /must use https/],
  },
  {
    name: 'keys in the metadata service of a cloud',
    bends: discovery({ jwks_uri: 'http://169.254.169.254/latest/meta-data/' }),
    refusal: ['address_refused', /must use https/],
  },
  {
    name: 'a token endpoint with a user name and a password',
    bends: discovery((honest) => ({
      ...honest,
      token_endpoint: String(honest['token_endpoint']).replace('://', '://a:b@'),
    })),
    refusal: ['address_refused', /is not a valid URL/],
  },
  {
    name: 'a token endpoint with http on another host',
    bends: discovery({ token_endpoint: 'http://example.com/token' }),
    refusal: ['address_refused', /must use https/],
  },
  {
    name: 'keys of 300 KiB',
    bends: answers('keys', { body: large }),
    refusal: ['provider_unreachable', /larger than 256 KiB/],
  },
  {
    name: 'keys behind a redirect',
    bends: answers('keys', { status: 302, headers: { location: `${inside}/keys` } }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'keys with status 500',
    bends: answers('keys', { status: 500 }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'a wrong secret',
    bends: failed({
      error: 'invalid_client',
      error_description: 'AADSTS7000215: Invalid client secret provided.',
    }),
    refusal: ['AADSTS7000215', /client secret is wrong/],
  },
  {
    name: 'an expired secret',
    bends: failed({
      error: 'invalid_client',
      error_description: 'AADSTS7000222: The provided client secret keys are expired.',
    }),
    refusal: ['AADSTS7000222', /has expired/],
  },
  {
    name: 'a malformed code',
    bends: failed({
      error: 'invalid_request',
      error_description: 'AADSTS9002313: Invalid request. Request is malformed or invalid.',
    }),
    refusal: ['AADSTS9002313', /malformed/],
    isOfBrowser: true,
  },
  {
    name: 'an unknown Entra code',
    bends: failed({
      error: 'invalid_request',
      error_description: 'AADSTS99999: \u001b[31mSomething\r\nelse',
    }),
    refusal: ['AADSTS99999', /^\P{C}*Something else$/u],
  },
  {
    name: 'an Entra code with 100,000 digits',
    bends: failed({ error: 'invalid_request', error_description: `AADSTS${'7'.repeat(100_000)}` }),
    refusal: ['invalid_request', /AADSTS7777/],
  },
  {
    name: 'an error of 100,000 characters',
    bends: failed({ error: 'e'.repeat(100_000) }),
    refusal: ['e'.repeat(100), /eeee/],
  },
  {
    name: 'an error that is an object',
    bends: failed({ error: { error: 'x' } }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'an error in HTML',
    bends: answers('token', {
      status: 400,
      headers: { 'content-type': 'text/html' },
      body: '<script>alert(1)</script>',
    }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'an error with a challenge',
    bends: answers('token', {
      status: 401,
      headers: { ...json, 'www-authenticate': 'Basic realm="x"' },
      body: '{"error":"invalid_client"}',
    }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'a token in HTML',
    bends: answers('token', { headers: { 'content-type': 'text/html' }, body: '<p>' }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'a token endpoint with status 500',
    bends: answers('token', { status: 500, body: 'x' }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'a token endpoint that redirects',
    bends: answers('token', { status: 307, headers: { location: `${inside}/token` } }),
    refusal: ['token_invalid', /is not valid/],
  },
  {
    name: 'a token of 300 KiB',
    bends: answers('token', { headers: json, body: large }),
    refusal: ['provider_unreachable', /larger than 256 KiB/],
  },
];

describe('a provider is refused for', () => {
  test('its documents and responses, and no other host is contacted', async (context) => {
    const recorder = await startRecorder(context);
    const [tenancy] = await startTenancies(context, 'SQLite');
    await expectControl(tenancy, 'at first');
    tenancy.provider.bend({ discovery: (honest) => raw({ body: withDepth(honest) }) });
    await expectControl(tenancy, '100,000 levels in a field that nobody reads');
    for (const hostile of cases(recorder.url))
      await context.test(hostile.name, () => expectRefusal(tenancy, hostile));
    assert.deepEqual(recorder.requests, []);
  });

  test('the same on PostgreSQL, in a sample', async (context) => {
    const recorder = await startRecorder(context);
    const [tenancy] = await startTenancies(context, 'PostgreSQL');
    for (const hostile of cases(recorder.url).slice(-16))
      await context.test(hostile.name, () => expectRefusal(tenancy, hostile));
    assert.deepEqual(recorder.requests, []);
  });

  test('pointing at a private host that is allowed for another organization', async (context) => {
    const [hostile, victim] = await startTenancies(context, 'SQLite', 2);
    assert.ok(victim);
    const asked = victim.provider.requests.length;
    for (const name of ['token_endpoint', 'jwks_uri']) {
      await expectRefusal(hostile, {
        name,
        bends: discovery({ [name]: `http://${victim.provider.host}/inside` }),
        refusal: ['address_refused', /must use https/],
      });
      await expectRefusal(hostile, {
        name: `${name}, a mixture`,
        bends: discovery({ [name]: `https://${victim.provider.host}/inside` }),
        refusal: ['discovery_invalid', new RegExp(`The ${name} in the discovery document is not valid`)],
      });
    }
    assert.equal(victim.provider.requests.length, asked);
    await expectControl(victim, 'the other');
  });

  test('http if the discovery URL is https', async () => {
    const discoveryUrl = 'https://idp.example/.well-known/openid-configuration';
    const honest = {
      issuer: 'https://idp.example',
      authorization_endpoint: 'https://idp.example/authorize',
      token_endpoint: 'https://idp.example/token',
      jwks_uri: 'https://idp.example/keys',
    };
    const start = (document: object) =>
      createIdentityProviders({
        fetch: async () => Response.json(document),
        close: async () => undefined,
      }).authorizationUrl(
        {
          configurationId: 'x',
          version: 1,
          clientId: 'x',
          clientSecret: 'x',
          discoveryUrl,
          tenantId: undefined,
          redirectUri: 'https://atrium.example/x',
        },
        { state: 'x', nonce: 'x', codeVerifier: 'x'.repeat(43) },
        { loginHint: undefined, isLoginForced: false },
      );
    assert.match(await start(honest), /^https:\/\/idp\.example\/authorize\?/);
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      await assert.rejects(start({ ...honest, [name]: honest[name].replace('https', 'http') }), {
        name: 'SignInRefusal',
        code: 'discovery_invalid',
      });
    }
  });

  test('an invalid sign-out URL, which still signs out here', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
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
      provider.bend(discovery({ end_session_endpoint: endpoint }));
      await tenancy.save();
      const { answer } = await tenancy.signIn();
      assert.equal(answer.status, 302, answer.text);
      const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
      const out = await server.call('POST /api/auth/sign-out', { headers: { cookie } });
      assert.ok([200, 204].includes(out.status), out.text);
      assert.equal(out.body?.logoutUrl, undefined, JSON.stringify(endpoint));
    }
  });
});
