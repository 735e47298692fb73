import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignKey, ownKey, raw, signBy, type Bends } from '../../support/sso/hostile-provider.ts';
import { describeTenancies, expectRefusal, type HostileWorld } from '../../support/sso/hostile-world.ts';
import { toPerson } from '../../support/sso/responses.ts';

/** Claims of a provider that is not Entra: only the ID token identifies the person. */
const bare = { tid: undefined, oid: undefined, name: undefined, preferred_username: undefined };

const tests = (world: HostileWorld): void => {
  /** Creates an organization whose ID tokens have no more than these claims. */
  async function createTenancy(claims: Record<string, unknown> = {}) {
    const tenancy = await world.createTenancy();
    const { domain, provider, owner, organizationId, server } = tenancy;
    const iss = `http://${provider.host}`;
    await tenancy.save({ tenantId: undefined, discoveryUrl: `${iss}/.well-known/openid-configuration` });
    const sub = 'pairwise-subject';
    const info = { sub, email: `bob@${domain}`, name: 'Bob at UserInfo' };
    const requested = () => provider.requests.filter(({ path }) => path.endsWith('/userinfo')).length;
    const bend = (bends: Bends) => {
      provider.bend({
        ...bends,
        discovery: (honest) => ({ ...honest, issuer: iss }),
        claims: (honest) => ({ ...honest, ...bare, iss, ...claims }),
      });
    };
    const enter = async (bends: Bends) => {
      bend(bends);
      const { response } = await tenancy.signIn();
      assert.equal(response.status, 302, response.text);
      const person = await toPerson(server, response);
      const { body } = await server.call(`GET /api/organizations/${organizationId}/members`, { as: owner });
      return body.items.find(({ userId }: { userId: string }) => userId === person.id);
    };
    return { ...tenancy, iss, info, requested, bend, enter };
  }

  test('gets the address, the name and mapped claims that an ID token lacks', async () => {
    const { server, owner, organizationId, info, requested, enter } = await createTenancy();
    const response = await server.call(`PUT /api/sso/orgs/${organizationId}/policy`, {
      as: owner,
      body: {
        requireSso: false,
        defaultRole: 'viewer',
        roleMappings: [{ claim: 'groups', value: 'Writers', role: 'editor' }],
      },
    });
    assert.equal(response.status, 200, response.text);
    const bob = await enter({ userInfo: () => ({ ...info, groups: ['Writers'], tid: 'not taken over' }) });
    assert.deepEqual([bob.email, bob.name, bob.role], [info.email, info.name, 'editor']);
    assert.equal(requested(), 1);
  });

  test('is a signed token as well', async () => {
    const { provider, iss, info, enter } = await createTenancy();
    const claims = { iss, aud: provider.clientId, ...info };
    const jwt = await signBy(ownKey.privateKey, { alg: 'RS256', kid: 'own' }, JSON.stringify(claims));
    const headers = { 'content-type': 'application/jwt' };
    assert.equal((await enter({ userInfo: () => raw({ headers, body: jwt }) })).email, info.email);
  });

  test('is not requested if the ID token has everything', async () => {
    const { info, requested, enter } = await createTenancy({ email: 'bob@elsewhere.example', name: 'Bob' });
    await assert.rejects(enter({ userInfo: () => info }), /elsewhere\.example/);
    assert.equal(requested(), 0);
  });

  test('never replaces a claim of the ID token', async () => {
    const { domain, info, requested, enter } = await createTenancy({ name: 'Bob' });
    const bob = await enter({ userInfo: () => ({ ...info, email: `robert@${domain}` }) });
    assert.deepEqual([bob.email, bob.name], [`robert@${domain}`, 'Bob']);
    assert.equal(requested(), 1);
    const other = await createTenancy({ name: 'Bob', email_verified: true });
    await assert.rejects(
      other.enter({ userInfo: () => ({ ...other.info, email_verified: false }) }),
      /No claim contains|not verified/,
    );
    const denied = await createTenancy({ name: 'Bob', email_verified: false });
    await assert.rejects(
      denied.enter({ userInfo: () => ({ ...denied.info, email_verified: true }) }),
      /not verified/,
    );
    assert.equal(denied.requested(), 0);
  });

  test('refuses the sign-in if it fails, is about someone else, or is forged', async () => {
    const tenancy = await world.createTenancy();
    const { provider } = tenancy;
    const claims = { iss: provider.issuer, aud: provider.clientId, sub: 'pairwise-subject', name: 'Bob' };
    const signed = (key: typeof ownKey.privateKey, payload: object) =>
      signBy(key, { alg: 'RS256', kid: 'own' }, JSON.stringify(payload));
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    const jwt = async (body: string | Promise<string>) => {
      const text = await body;
      return () => raw({ headers: { 'content-type': 'application/jwt' }, body: text });
    };
    const invalid = /the UserInfo endpoint returned an invalid response/;
    const cases: [name: string, userInfo: () => unknown, message: RegExp][] = [
      ['another person', () => ({ sub: 'someone-else', name: 'Mallory' }), invalid],
      ['nobody', () => ({ name: 'Mallory' }), invalid],
      ['a list', () => [], invalid],
      ['no JSON', () => raw({ headers: { 'content-type': 'application/json' }, body: '{' }), invalid],
      ['a page', () => raw({ headers: { 'content-type': 'text/html' }, body: '<p>' }), invalid],
      ['an error', () => raw({ status: 500 }), /the UserInfo endpoint returned status 500\./],
      [
        'a challenge',
        () => raw({ status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
        /the UserInfo endpoint returned status 401\./,
      ],
      [
        'a redirect',
        () => raw({ status: 302, headers: { location: `${provider.issuer}/elsewhere` } }),
        /the UserInfo endpoint returned status 302\./,
      ],
      ['a foreign signature', await jwt(signed(foreignKey.privateKey, claims)), invalid],
      ['no signature', await jwt(none), invalid],
      ['another client', await jwt(signed(ownKey.privateKey, { ...claims, aud: 'other' })), invalid],
      [
        'another issuer',
        await jwt(signed(ownKey.privateKey, { ...claims, iss: 'https://x.example' })),
        invalid,
      ],
    ];
    for (const [name, userInfo, message] of cases) {
      const bends: Bends = { userInfo, claims: (honest) => ({ ...honest, name: undefined }) };
      await expectRefusal(tenancy, [name, bends, 'userinfo_failed', message]);
    }
    const tooLong = () => ({ ...claims, padding: 'x'.repeat(300_000) });
    const bends: Bends = { userInfo: tooLong, claims: (honest) => ({ ...honest, name: undefined }) };
    await expectRefusal(tenancy, ['too long', bends, 'provider_unreachable', /Could not connect to/]);
    assert.equal(
      provider.requests.some(({ path }) => path.endsWith('/elsewhere')),
      false,
    );
    assert.ok(!world.server.log.join('').includes('canary-access-token'));
  });

  test('is only requested at a host that the discovery document may name', async () => {
    const tenancy = await world.createTenancy();
    const userInfo = () => ({ sub: 'pairwise-subject', name: 'Bob' });
    const discovery = (honest: object) => ({ ...honest, userinfo_endpoint: 'http://169.254.169.254/latest' });
    const bends: Bends = { userInfo, discovery, claims: (honest) => ({ ...honest, name: undefined }) };
    await expectRefusal(tenancy, ['metadata', bends, 'address_refused', /must use https/]);
  });

  test('shows why it failed in a test sign-in', async () => {
    const { server, provider, owner, organizationId, bend } = await createTenancy();
    bend({ userInfo: () => raw({ status: 503 }) });
    const path = `/api/sso/orgs/${organizationId}/config/test`;
    const started = await server.call(`POST ${path}`, { as: owner });
    const back = await provider.authorize(started.body.url);
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    await server.call(`GET ${back.pathname}${back.search}`, { headers: { cookie } });
    const { body } = await server.call(`GET ${path}/${started.body.id}`, { as: owner });
    const { code, passed, message } = body.checks.at(-1);
    assert.deepEqual([code, passed], ['userinfo_failed', false]);
    assert.match(message, /the UserInfo endpoint returned status 503\./);
  });
};

describeTenancies('the UserInfo endpoint', tests);
