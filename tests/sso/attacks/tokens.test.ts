import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportSPKI } from 'jose';
import { ecKey, foreignKey, ownKey, raw, signBy, type Bends } from '../../support/sso/hostile-provider.ts';
import {
  describeTenancies,
  expectControl,
  expectRefusal,
  type HostileCase,
} from '../../support/sso/hostile-world.ts';

const encode = (value: string) => Buffer.from(value).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** Claims that differ from the honest ones. */
const claims = (changes: Record<string, unknown>): Bends => ({
  claims: (honest) => ({ ...honest, ...changes }),
});
const without = (name: string): Bends => claims({ [name]: undefined });
/** One claim that is computed from the honest one. */
const claim = (name: string, change: (value: string) => unknown): Bends => ({
  claims: (honest) => ({ ...honest, [name]: change(String(honest[name])) }),
});
const payload = (change: (text: string) => string): Bends => ({ payload: change });
const header = (changes: Record<string, unknown>): Bends => ({
  header: (honest) => ({ ...honest, ...changes }),
});
const byForeignKey: Bends = { sign: (head, body) => signBy(foreignKey.privateKey, head, body) };
const hmac = (key: () => string | Promise<string>): Bends => ({
  ...header({ alg: 'HS256' }),
  sign: async (head, body) => signBy(Buffer.from(await key()), head, body),
});
const toRsaKey = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const publicPem = () =>
  crypto.subtle.importKey('jwk', ownKey.jwk, toRsaKey, true, ['verify']).then((key) => exportSPKI(key));
/** A token whose parts are changed after an honest signature. */
const resigned = (
  change: (parts: [string, string, string], head: object, body: string) => string[],
): Bends => ({
  sign: async (head, body) => {
    // Sound because a JWS has three parts.
    const parts = (await signBy(ownKey.privateKey, head, body)).split('.') as [string, string, string];
    return change(parts, head, body).join('.');
  },
});
const unsigned = (head: object) => encode(JSON.stringify({ ...head, alg: 'none' }));
/** Signed with another algorithm of public keys, which a document has to list. */
const byEcKey: Bends = {
  keys: (keys) => ({ keys: [...keys, ecKey.jwk] }),
  ...header({ alg: 'ES256', kid: 'ec' }),
  sign: (head, body) => signBy(ecKey.privateKey, head, body),
};
const announced: Bends = {
  discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: ['RS256', 'ES256'] }),
};
const token = (changes: Record<string, unknown>): Bends => ({
  token: (honest) => ({ ...honest, ...changes }),
});
/** An address in `email`, without a principal name. */
const email = (value: unknown): Bends => claims({ preferred_username: undefined, email: value });
/** An address of a domain in both claims. */
const inDomain = (domain: string) =>
  [
    claims({ preferred_username: `bob@${domain}`, email: `bob@${domain}` }),
    'domain_refused',
    new RegExp(`The domain is ${domain.replaceAll('.', String.raw`\.`)}`),
  ] as const;
const extension = 'https://example.com/x';
const polluting = '"__proto__":{"oid":"oid-of-bob"},"constructor":{"prototype":{"oid":"x"}}';
const random = Array.from({ length: 100_000 }, (_, index) => ((index * 7919) % 9973).toString(36)).join('');
const manyGroups = Array.from({ length: 8_000 }, (_, index) => `group-${index}`.padEnd(36, '-'));

const noKey = ['identity_refused', /no usable oid/] as const;
const noTenant = ['tenant_refused', /\(none\)/] as const;
const noEmail = ['email_refused', /No claim contains an email address/] as const;

/** Tokens that are refused because they are not valid, without a further reason. */
const invalidTokens: [name: string, bends: Bends][] = [
  ['alg none without a signature', { sign: (head, body) => `${unsigned(head)}.${encode(body)}.` }],
  [
    'alg none with the signature of another header',
    resigned(([, body, signature], head) => [unsigned(head), body, signature]),
  ],
  ['HS256 with the client secret', hmac(() => 'canary-client-secret-9f2b71c04d')],
  ['HS256 with the text of the public key', hmac(publicPem)],
  [
    'HS256 that the document lists',
    {
      ...hmac(() => 'canary-client-secret-9f2b71c04d'),
      discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: ['HS256', 'none'] }),
    },
  ],
  ['a foreign key with the correct key id', byForeignKey],
  ['an unknown key id', { ...header({ kid: 'unknown' }), ...byForeignKey }],
  ['a key in the header', { ...header({ jwk: foreignKey.jwk }), ...byForeignKey }],
  ['the URL of a key set in the header', { ...header({ jku: 'http://127.0.0.1:9/keys' }), ...byForeignKey }],
  [
    'the URL of a certificate in the header',
    { ...header({ x5u: 'http://127.0.0.1:9/cert' }), ...byForeignKey },
  ],
  ['an unknown critical extension', header({ crit: [extension], [extension]: true })],
  ['ES256 with a published key', byEcKey],
  [
    'claims changed after signing',
    resigned(([head, , signature], _head, body) => [
      head,
      encode(body.replace('oid-of-bob', 'oid-of-eve')),
      signature,
    ]),
  ],
  ['no ID token', token({ id_token: undefined })],
  ['an ID token of null', token({ id_token: null })],
  ['an ID token that is not a JWT', { sign: () => 'not.a.token' }],
  ['an encrypted ID token', { sign: () => 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d' }],
  ['a payload that is a list', payload(() => '[]')],
  ['an expired token', claims({ exp: now() - 600 })],
  ['a token without expiry', without('exp')],
  ['an expiry that is a text', claims({ exp: 'tomorrow' })],
  ['a token that is not yet valid', claims({ nbf: now() + 600, iat: now() + 600 })],
  ['another issuer', claims({ iss: 'https://login.example.com/v2.0' })],
  ['the issuer template', claim('iss', (issuer) => issuer.replace(/[0-9a-f-]{36}/, '{tenantid}'))],
  ['another audience', claims({ aud: 'another-client' })],
  ['another audience in addition to the correct one', claim('aud', (client) => [client, 'another-client'])],
  ['no nonce', without('nonce')],
  ['another nonce', claims({ nonce: 'another' })],
  ['a token of the previous sign-in', claims({ nonce: 'of-the-sign-in-before' })],
  ['a token that is not a bearer token', token({ token_type: 'mac' })],
  ['no published key', { keys: () => ({ keys: [] }) }],
  ['keys that are not a set', { keys: () => ({ keys: 'none' }) }],
  ['keys that are not JSON', { keys: () => raw({ body: '<html>' }) }],
  [
    'an RSA key with the correct id for another use',
    { keys: ([key]) => ({ keys: [{ ...key, use: 'enc' }] }) },
  ],
];

const cases: HostileCase[] = [
  ...invalidTokens.map(([name, bends]): HostileCase => [name, bends, 'token_invalid', /is not valid/]),
  [
    'another tenant',
    claims({ tid: '00000000-0000-4000-8000-000000000000' }),
    'tenant_refused',
    /from the tenant 00000000-/,
  ],
  ['no tenant', without('tid'), ...noTenant],
  ['a tenant that is a list', claim('tid', (tenant) => [tenant]), ...noTenant],
  ['a tenant of 100,000 characters', claims({ tid: 't'.repeat(100_000) }), ...noTenant],
  [
    'another audience in addition to the correct one, authorized for this one',
    { claims: (honest) => ({ ...honest, aud: [honest['aud'], 'another-client'], azp: honest['aud'] }) },
    'token_invalid',
    /for other applications as well/,
  ],
  ['another authorized party', claims({ azp: 'another-client' }), 'token_invalid', /to another application/],
  ['no object id', without('oid'), ...noKey],
  ['an empty object id', claims({ oid: '' }), ...noKey],
  ['an object id that is a number', claims({ oid: 7 }), ...noKey],
  ['an object id that is a list', claims({ oid: ['oid-of-bob'] }), ...noKey],
  ['an object id with U+0000', claims({ oid: 'oid-of-bob\0' }), ...noKey],
  ['an object id with a lone surrogate', claims({ oid: 'oid-of-bob\ud800' }), ...noKey],
  ['an object id of 100,000 random characters', claims({ oid: random.slice(0, 100_000) }), ...noKey],
  ['__proto__ instead of claims', payload((text) => text.replace('"oid":"oid-of-bob"', polluting)), ...noKey],
  ['claims nested 50,000 deep', payload((text) => text.replace('"oid-of-bob"', deep(50_000))), ...noKey],
  ['an email with two @', email('bob@elsewhere.example@corp0.example'), ...noEmail],
  ['an email with a full-width @', email('bob\uff20corp0.example'), ...noEmail],
  ['an email with a full-width letter', email('bob@\uff43orp0.example'), ...noEmail],
  ['an email with a line break', email('bob@corp0.example\r\n@corp1.example'), ...noEmail],
  ['an email that is a list', email(['bob@corp0.example']), ...noEmail],
  ['no email at all', without('preferred_username'), ...noEmail],
  ["an email of another organization's domain", ...inDomain('corp1.example')],
  ['an email in a domain that ends like the verified one', ...inDomain('evil-corp0.example')],
  ['an email in a subdomain of the verified one', ...inDomain('sub.corp0.example')],
  [
    'an unverified email, without a principal name',
    claims({ preferred_username: 'bob', email: 'bob@corp0.example', email_verified: false }),
    'email_refused',
    /not verified/,
  ],
  [
    'claims larger than 256 KiB',
    claims({ groups: manyGroups }),
    'provider_unreachable',
    /larger than 256 KiB/,
  ],
];

/** Unusual, but valid or irrelevant. The person's name becomes Bob, unless stated otherwise. */
const accepted: [name: string, bends: Bends, userName?: string][] = [
  ['issued and valid from 4 minutes in the future', claims({ nbf: now() + 240, iat: now() + 240 })],
  // Relative to when it is issued, since the tests before it can take a minute.
  ['expired 4 minutes ago', { claims: (honest) => ({ ...honest, exp: now() - 240 }) }],
  ['issued and valid from an hour ago', claims({ nbf: now() - 3600, iat: now() - 3600 })],
  ['ES256 with a published key, if the document lists it', { ...announced, ...byEcKey }],
  [
    'a client that authenticates with HTTP Basic, if the document lists nothing else',
    {
      authentication: 'basic',
      discovery: (document) => ({
        ...document,
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'],
      }),
    },
  ],
  ['an audience that is a list of one', claim('aud', (client) => [client])],
  ['this application as the authorized party', { claims: (honest) => ({ ...honest, azp: honest['aud'] }) }],
  ['the tenant in capitals', claim('tid', (tenant) => tenant.toUpperCase())],
  ['roles that are an object', claims({ roles: { admin: true, includes: 'admin', length: 1 } })],
  ['roles that are objects', claims({ roles: [{ toString: 'admin' }, null, 7] })],
  [
    'groups nested 50,000 deep',
    payload((text) => text.replace('"name":"Bob"', `"name":"Bob","groups":${deep(50_000)}`)),
  ],
  ['an email in another domain in addition to the principal name', claims({ email: 'bob@evil.example' })],
  ['a name with U+0000', claims({ name: 'B\0ob' }), 'bob@corp0.example'],
  [
    'a name with a lone surrogate and a line break',
    claims({ name: 'Bob\ud800\r\nEve' }),
    'bob@corp0.example',
  ],
  ['a name of 100,000 characters', claims({ name: 'B'.repeat(100_000) }), 'bob@corp0.example'],
  ['a name that is an object', claims({ name: { toString: 1 } }), 'bob@corp0.example'],
  [
    '__proto__ in addition to the claims',
    payload((text) => text.replace('{', '{"__proto__":{"polluted":true},')),
  ],
];

describeTenancies('an ID token', (world, engine) => {
  test(`is refused with each of ${cases.length} faults`, async (context) => {
    const tenancy = await world.createTenancy();
    await expectControl(tenancy, 'at first');
    for (const hostile of cases) await context.test(hostile[0], () => expectRefusal(tenancy, hostile));
  });

  test(`is accepted with each of ${accepted.length} unusual values`, async (context) => {
    const tenancy = await world.createTenancy();
    const { server, provider, owner, organizationId, domain } = tenancy;
    const policy = {
      requireSso: false,
      defaultRole: 'viewer',
      roleMappings: [{ claim: 'roles', value: 'admin', role: 'admin' }],
    };
    await server.call(`PUT /api/sso/orgs/${organizationId}/policy`, { as: owner, body: policy });
    for (const [name, bends, userName = 'Bob'] of accepted) {
      await context.test(name, async () => {
        provider.bend(bends);
        const cookie = await expectControl(tenancy, name);
        const who = await server.call('GET /api/auth/get-session', { headers: { cookie } });
        assert.equal(who.body.user.name, userName.replace('corp0.example', domain));
        const members = await server.call(`GET /api/organizations/${organizationId}/members`, { as: owner });
        const member = members.body.items.find(
          ({ userId }: { userId: string }) => userId === who.body.user.id,
        );
        assert.equal(member.role, 'viewer');
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      });
    }
  });

  // A test sign-in stores what it shows in one column, which both engines store alike.
  if (engine === 'SQLite') {
    test('is shown by a test sign-in even with unusual claims', async () => {
      // The number of test sign-ins is limited per organization.
      const [one, other] = [await world.createTenancy(), await world.createTenancy()];
      for (const [index, [, bends]] of [...cases, ...accepted].entries()) {
        const tenancy = index % 2 ? other : one;
        const { server, provider, owner, organizationId } = tenancy;
        provider.bend(bends);
        await tenancy.save();
        const started = await server.call(`POST /api/sso/orgs/${organizationId}/config/test`, { as: owner });
        assert.equal(started.status, 201, started.text);
        const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
        const back = await provider.authorize(started.body.url);
        const done = await server.call(`GET ${back.pathname}${back.search}`, { headers: { cookie } });
        assert.equal(done.status, 302, done.text.slice(0, 500));
        assert.doesNotMatch(String(done.headers['set-cookie']), /session_token/);
        const { id } = started.body;
        assert.equal(done.headers.location, `/organizations/${organizationId}/sso/tests/${id}`);
        const path = `/api/sso/orgs/${organizationId}/config/test/${id}`;
        const result = await server.call(`GET ${path}`, { as: owner });
        assert.equal(result.status, 200, result.text.slice(0, 500));
        assert.equal(result.body.state, 'done');
      }
    });
  }
});
