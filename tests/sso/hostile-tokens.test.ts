import { exportSPKI } from 'jose';
import { test, describe } from 'node:test';
import assert from 'node:assert/strict';
import { describeOnBothEngines } from '../support/server/test-server.ts';
import { ecKey, foreignKey, ownKey, raw, signBy } from '../support/sso/hostile-provider.ts';
import {
  expectControl,
  expectRefusal,
  startTenancies,
  type HostileCase,
} from '../support/sso/hostile-world.ts';

const encode = (value: string) => Buffer.from(value).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);
const claims = (changes: Record<string, unknown>): HostileCase['bends'] => ({
  claims: (honest) => ({ ...honest, ...changes }),
});
const without = (...names: string[]): HostileCase['bends'] => ({
  claims: (honest) => Object.fromEntries(Object.entries(honest).filter(([name]) => !names.includes(name))),
});
const embedded = (changes: Record<string, unknown>): HostileCase['bends'] => ({
  header: (honest) => ({ ...honest, ...changes }),
  sign: (header, payload) => signBy(foreignKey.privateKey, header, payload),
});
const hmac = (key: string): HostileCase['bends'] => ({
  header: (honest) => ({ ...honest, alg: 'HS256' }),
  sign: (header, payload) => signBy(Buffer.from(key), header, payload),
});
const publicPem = await exportSPKI(
  await crypto.subtle.importKey('jwk', ownKey.jwk, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, [
    'verify',
  ]),
);
const notAccepted = ['token_invalid', /is not valid/] as const;
const noKey = ['identity_refused', /no usable oid/] as const;
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const cases: HostileCase[] = [
  {
    name: 'alg none without a signature',
    bends: {
      sign: (header, payload) => `${encode(JSON.stringify({ ...header, alg: 'none' }))}.${encode(payload)}.`,
    },
    refusal: notAccepted,
  },
  {
    name: 'alg none with the signature of another header',
    bends: {
      async sign(header, payload) {
        const [, body, signature] = (await signBy(ownKey.privateKey, header, payload)).split('.');
        return `${encode(JSON.stringify({ ...header, alg: 'none' }))}.${body}.${signature}`;
      },
    },
    refusal: notAccepted,
  },
  {
    name: 'HS256 with the client secret',
    bends: hmac('canary-client-secret-9f2b71c04d'),
    refusal: notAccepted,
  },
  { name: 'HS256 with the text of the public key', bends: hmac(publicPem), refusal: notAccepted },
  {
    name: 'a foreign key with the correct key id',
    bends: { sign: (header, payload) => signBy(foreignKey.privateKey, header, payload) },
    refusal: notAccepted,
  },
  { name: 'an unknown key id', bends: embedded({ kid: 'unknown' }), refusal: notAccepted },
  { name: 'a key in the header', bends: embedded({ jwk: foreignKey.jwk }), refusal: notAccepted },
  {
    name: 'the URL of a key set in the header',
    bends: embedded({ jku: 'http://127.0.0.1:9/keys' }),
    refusal: notAccepted,
  },
  {
    name: 'the URL of a certificate in the header',
    bends: embedded({ x5u: 'http://127.0.0.1:9/cert' }),
    refusal: notAccepted,
  },
  {
    name: 'an unknown critical extension',
    bends: {
      header: (honest) => ({ ...honest, crit: ['https://example.com/x'], 'https://example.com/x': true }),
    },
    refusal: notAccepted,
  },
  {
    name: 'ES256 with a published key',
    bends: {
      keys: (keys) => ({ keys: [...keys, ecKey.jwk] }),
      header: (honest) => ({ ...honest, alg: 'ES256', kid: 'ec' }),
      sign: (header, payload) => signBy(ecKey.privateKey, header, payload),
    },
    refusal: notAccepted,
  },
  {
    name: 'ES256 with a published key that the document announces',
    bends: {
      discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: ['RS256', 'ES256'] }),
      keys: (keys) => ({ keys: [...keys, ecKey.jwk] }),
      header: (honest) => ({ ...honest, alg: 'ES256', kid: 'ec' }),
      sign: (header, payload) => signBy(ecKey.privateKey, header, payload),
    },
    refusal: notAccepted,
  },
  {
    name: 'claims changed after signing',
    bends: {
      async sign(header, payload) {
        const [head, , signature] = (await signBy(ownKey.privateKey, header, payload)).split('.');
        return `${head}.${encode(payload.replace('oid-of-bob', 'oid-of-eve'))}.${signature}`;
      },
    },
    refusal: notAccepted,
  },
  {
    name: 'no ID token',
    bends: { token: ({ id_token: _idToken, ...rest }) => rest },
    refusal: notAccepted,
  },
  {
    name: 'an ID token of null',
    bends: { token: (answer) => ({ ...answer, id_token: null }) },
    refusal: notAccepted,
  },
  { name: 'an ID token that is not a JWT', bends: { sign: () => 'not.a.token' }, refusal: notAccepted },
  {
    name: 'an encrypted ID token',
    bends: { sign: () => 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d' },
    refusal: notAccepted,
  },
  { name: 'a payload that is a list', bends: { payload: () => '[]' }, refusal: notAccepted },
  { name: 'an expired token', bends: claims({ exp: now() - 600 }), refusal: notAccepted },
  { name: 'a token without expiry', bends: without('exp'), refusal: notAccepted },
  { name: 'an expiry that is a text', bends: claims({ exp: 'tomorrow' }), refusal: notAccepted },
  {
    name: 'a token that is not yet valid',
    bends: claims({ nbf: now() + 600, iat: now() + 600 }),
    refusal: notAccepted,
  },
  { name: 'another issuer', bends: claims({ iss: 'https://login.example.com/v2.0' }), refusal: notAccepted },
  {
    name: "the issuer template of many tenants' documents",
    bends: {
      claims: (honest) => ({ ...honest, iss: String(honest['iss']).replace(/[0-9a-f-]{36}/, '{tenantid}') }),
    },
    refusal: notAccepted,
  },
  {
    name: 'another tenant',
    bends: claims({ tid: '00000000-0000-4000-8000-000000000000' }),
    refusal: ['tenant_refused', /from the tenant 00000000-/],
  },
  { name: 'no tenant', bends: without('tid'), refusal: ['tenant_refused', /\(none\)/] },
  {
    name: 'a tenant that is a list',
    bends: { claims: (honest) => ({ ...honest, tid: [honest['tid']] }) },
    refusal: ['tenant_refused', /\(none\)/],
  },
  {
    name: 'a tenant of 100,000 characters',
    bends: claims({ tid: 't'.repeat(100_000) }),
    refusal: ['tenant_refused', /\(none\)/],
  },
  { name: 'another audience', bends: claims({ aud: 'another-client' }), refusal: notAccepted },
  {
    name: 'another audience in addition to the correct one',
    bends: { claims: (honest) => ({ ...honest, aud: [honest['aud'], 'another-client'] }) },
    refusal: notAccepted,
  },
  {
    name: 'another audience in addition to the correct one, authorized for this one',
    bends: {
      claims: (honest) => ({ ...honest, aud: [honest['aud'], 'another-client'], azp: honest['aud'] }),
    },
    refusal: ['token_invalid', /for other applications as well/],
  },
  {
    name: 'another authorized party',
    bends: claims({ azp: 'another-client' }),
    refusal: ['token_invalid', /to another application/],
  },
  { name: 'no nonce', bends: without('nonce'), refusal: notAccepted },
  { name: 'another nonce', bends: claims({ nonce: 'another' }), refusal: notAccepted },
  { name: 'no object id', bends: without('oid'), refusal: noKey },
  { name: 'an empty object id', bends: claims({ oid: '' }), refusal: noKey },
  { name: 'an object id that is a number', bends: claims({ oid: 7 }), refusal: noKey },
  { name: 'an object id that is a list', bends: claims({ oid: ['oid-of-bob'] }), refusal: noKey },
  { name: 'an object id with U+0000', bends: claims({ oid: 'oid-of-bob\0' }), refusal: noKey },
  { name: 'an object id with a lone surrogate', bends: claims({ oid: 'oid-of-bob\ud800' }), refusal: noKey },
  {
    name: 'an object id of 100,000 random characters',
    bends: claims({
      oid: Array.from({ length: 100_000 }, (_, index) => ((index * 7919) % 9973).toString(36))
        .join('')
        .slice(0, 100_000),
    }),
    refusal: noKey,
  },
  {
    name: 'an email with two @',
    bends: claims({ preferred_username: undefined, email: 'bob@elsewhere.example@corp0.example' }),
    refusal: ['email_refused', /No claim contains an email address/],
  },
  {
    name: 'an email with a full-width @',
    bends: claims({ preferred_username: undefined, email: 'bob\uff20corp0.example' }),
    refusal: ['email_refused', /No claim/],
  },
  {
    name: 'an email with a full-width letter',
    bends: claims({ preferred_username: undefined, email: 'bob@\uff43orp0.example' }),
    refusal: ['email_refused', /No claim/],
  },
  {
    name: 'an email with a line break',
    bends: claims({ preferred_username: undefined, email: 'bob@corp0.example\r\n@corp1.example' }),
    refusal: ['email_refused', /No claim/],
  },
  {
    name: 'an email that is a list',
    bends: claims({ preferred_username: undefined, email: ['bob@corp0.example'] }),
    refusal: ['email_refused', /No claim/],
  },
  {
    name: "an email of another organization's domain",
    bends: claims({ email: 'bob@corp1.example', preferred_username: 'bob@corp1.example' }),
    refusal: ['domain_refused', /The domain is corp1\.example/],
  },
  {
    name: 'an email in a domain that ends like the verified one',
    bends: claims({ email: 'bob@evil-corp0.example', preferred_username: 'bob@evil-corp0.example' }),
    refusal: ['domain_refused', /evil-corp0\.example/],
  },
  {
    name: 'an email in a subdomain of the verified one',
    bends: claims({ email: 'bob@sub.corp0.example', preferred_username: 'bob@sub.corp0.example' }),
    refusal: ['domain_refused', /sub\.corp0\.example/],
  },
  {
    name: 'an unverified email, without a principal name',
    bends: claims({ preferred_username: 'bob', email: 'bob@corp0.example', email_verified: false }),
    refusal: ['email_refused', /not verified/],
  },
  { name: 'no email at all', bends: without('preferred_username'), refusal: ['email_refused', /No claim/] },
  {
    name: 'claims larger than 256 KiB',
    bends: claims({ groups: Array.from({ length: 8_000 }, (_, index) => `group-${index}`.padEnd(36, '-')) }),
    refusal: ['provider_unreachable', /larger than 256 KiB/],
  },
  {
    name: '__proto__ instead of claims',
    bends: {
      payload: (text) =>
        text.replace(
          /"oid":"oid-of-bob"/,
          '"__proto__":{"oid":"oid-of-bob"},"constructor":{"prototype":{"oid":"x"}}',
        ),
    },
    refusal: noKey,
  },
  {
    name: 'claims nested 50,000 deep instead of an object id',
    bends: { payload: (text) => text.replace('"oid-of-bob"', deep(50_000)) },
    refusal: noKey,
  },
  {
    name: 'a token of the previous sign-in',
    bends: (() => {
      const old = '{"nonce":"of-the-sign-in-before"}';
      return { claims: (honest: Record<string, unknown>) => ({ ...honest, ...(JSON.parse(old) as object) }) };
    })(),
    refusal: notAccepted,
  },
  {
    name: 'a token that is not a bearer token',
    bends: { token: (answer) => ({ ...answer, token_type: 'mac' }) },
    refusal: notAccepted,
  },
  {
    name: 'no published key',
    bends: { keys: () => ({ keys: [] }) },
    refusal: notAccepted,
  },
  { name: 'keys that are not a set', bends: { keys: () => ({ keys: 'none' }) }, refusal: notAccepted },
  { name: 'keys that are not JSON', bends: { keys: () => raw({ body: '<html>' }) }, refusal: notAccepted },
  {
    name: 'an RSA key with the correct id for another use',
    bends: { keys: ([key]) => ({ keys: [{ ...key, use: 'enc' }] }) },
    refusal: notAccepted,
  },
];

describeOnBothEngines('an ID token is refused with', (engine) => {
  test(`each of ${cases.length} faults`, async (context) => {
    const [tenancy] = await startTenancies(context, engine, 1);
    await expectControl(tenancy, 'at first');
    for (const hostile of cases) await context.test(hostile.name, () => expectRefusal(tenancy, hostile));
  });
});

/** Unusual, but valid or irrelevant. */
const accepted: { name: string; bends: HostileCase['bends']; role?: string; userName?: string }[] = [
  {
    name: 'issued and valid from 4 minutes in the future',
    bends: claims({ nbf: now() + 240, iat: now() + 240 }),
  },
  {
    name: 'expired 4 minutes ago',
    // Relative to when it is issued, since the tests before it can take a minute.
    bends: { claims: (honest) => ({ ...honest, exp: now() - 240 }) },
  },
  { name: 'issued and valid from an hour ago', bends: claims({ nbf: now() - 3600, iat: now() - 3600 }) },
  {
    name: 'an audience that is a list of one',
    bends: { claims: (honest) => ({ ...honest, aud: [honest['aud']] }) },
  },
  {
    name: 'this application as the authorized party',
    bends: { claims: (honest) => ({ ...honest, azp: honest['aud'] }) },
  },
  {
    name: 'the tenant in capitals',
    bends: { claims: (honest) => ({ ...honest, tid: String(honest['tid']).toUpperCase() }) },
  },
  {
    name: 'roles that are an object',
    bends: claims({ roles: { admin: true, includes: 'admin', length: 1 } }),
    role: 'viewer',
  },
  {
    name: 'roles that are objects',
    bends: claims({ roles: [{ toString: 'admin' }, null, 7] }),
    role: 'viewer',
  },
  {
    name: 'groups nested 50,000 deep',
    bends: { payload: (text) => text.replace('"name":"Bob"', `"name":"Bob","groups":${deep(50_000)}`) },
  },
  {
    name: 'an email in another domain in addition to the principal name',
    bends: claims({ email: 'bob@evil.example' }),
  },
  { name: 'a name with U+0000', bends: claims({ name: 'B\0ob' }), userName: 'bob@corp0.example' },
  {
    name: 'a name with a lone surrogate and a line break',
    bends: claims({ name: 'Bob\ud800\r\nEve' }),
    userName: 'bob@corp0.example',
  },
  {
    name: 'a name of 100,000 characters',
    bends: claims({ name: 'B'.repeat(100_000) }),
    userName: 'bob@corp0.example',
  },
  {
    name: 'a name that is an object',
    bends: claims({ name: { toString: 1 } }),
    userName: 'bob@corp0.example',
  },
  {
    name: '__proto__ in addition to the claims',
    bends: { payload: (text) => text.replace('{', '{"__proto__":{"polluted":true},') },
  },
];

describeOnBothEngines('an ID token is accepted with', (engine) => {
  test(`each of ${accepted.length} unusual values`, async (context) => {
    const [tenancy] = await startTenancies(context, engine, 1);
    const { server, provider, owner, organizationId } = tenancy;
    const policy = {
      requireSso: false,
      defaultRole: 'viewer',
      roleMappings: [{ claim: 'roles', value: 'admin', role: 'admin' }],
    };
    await server.call(`PUT /api/sso/orgs/${organizationId}/policy`, { as: owner, body: policy });
    for (const { name, bends, role, userName } of accepted) {
      await context.test(name, async () => {
        provider.bend(bends);
        await tenancy.save();
        const { answer } = await tenancy.signIn();
        assert.equal(answer.status, 302, answer.text.slice(0, 1_000));
        const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
        const who = await server.call('GET /api/auth/get-session', { headers: { cookie } });
        assert.equal(who.body.user.name, userName ?? 'Bob');
        const members = await server.call(`GET /api/organizations/${organizationId}/members`, { as: owner });
        const member = members.body.items.find(
          ({ userId }: { userId: string }) => userId === who.body.user.id,
        );
        assert.equal(member.role, role ?? 'viewer');
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      });
    }
  });
});

describe('a test sign-in', () => {
  test('shows unusual claims without failing', async (context) => {
    // Their number is limited per organization.
    const [one, other = one] = await startTenancies(context, 'SQLite', 2);
    const bent = [...cases, ...accepted].map(({ bends }) => bends);
    for (const [index, bends] of bent.entries()) {
      const tenancy = index % 2 ? other : one;
      const { server, provider, owner, organizationId } = tenancy;
      provider.bend(bends);
      await tenancy.save();
      const begun = await server.call(`POST /api/sso/orgs/${organizationId}/config/test`, { as: owner });
      assert.equal(begun.status, 201, begun.text);
      const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
      const back = await provider.authorize(begun.body.url);
      const done = await server.call(`GET ${back.pathname}${back.search}`, { headers: { cookie } });
      assert.equal(done.status, 302, done.text.slice(0, 500));
      assert.doesNotMatch(String(done.headers['set-cookie']), /session_token/);
      const { id } = begun.body;
      assert.equal(done.headers.location, `/organizations/${organizationId}/sso/tests/${id}`);
      const path = `/api/sso/orgs/${organizationId}/config/test/${id}`;
      const result = await server.call(`GET ${path}`, { as: owner });
      assert.equal(result.status, 200, result.text.slice(0, 500));
      assert.equal(result.body.state, 'done');
    }
  });
});
