import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../base/clock.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';

const password = 'the password of an owner';
const required = { status: 403, code: 'confirmation_required' };

const confirm = (server: TestServer, as: Person, typed = password): Promise<TestResponse> =>
  server.call('POST /api/auth/confirm', { as, body: { password: typed } });

describeOnUsualEngine('a change that requires a recent confirmation of identity', (engine) => {
  test('isn’t permitted for longer because the clock was set back', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const bob = await server.createMember(organizationId, 'viewer');
    const makeOwner = () =>
      server.call(`PATCH /api/organizations/${organizationId}/members/${bob.id}`, {
        as: ada,
        body: { role: 'owner' },
      });
    server.advance(-minutesMs(60));
    assert.deepEqual(problemOf(await makeOwner()), required);
    server.advance(minutesMs(59));
    assert.equal((await makeOwner()).status, 200, 'the clocks of processes differ a little');
  });

  test('is required for another directory to make owners, but never for saving it', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, password);
    const organizationId = await server.createOrganization(ada);
    const admin = await server.createMember(organizationId, 'admin');
    const address = `/api/sso/orgs/${organizationId}/config`;
    const save = (as: Person, discoveryUrl: string) =>
      server.call(`POST ${address}`, {
        as,
        body: {
          provider: 'idp_ad',
          clientId: 'client',
          discoveryUrl,
          emailDomains: ['example.com'],
          enabled: true,
        },
      });
    const [ours, theirs] = ['https://ours.example/adfs', 'https://theirs.example/adfs'];
    assert.equal((await save(ada, ours)).status, 200);
    const roleMappings = [{ claim: 'roles', value: 'Boss', role: 'owner' }];
    const policy = { requireSso: false, defaultRole: 'viewer', roleMappings };
    assert.equal(
      (await server.call(`PUT /api/sso/orgs/${organizationId}/policy`, { as: ada, body: policy })).status,
      200,
    );
    server.advance(minutesMs(10));
    const makesOwners = async (): Promise<boolean> => {
      const { body } = await server.call(`GET /api/sso/orgs/${organizationId}/status`, { as: ada });
      return !body.reasons.some(({ code }: { code: string }) => code === 'owner_not_approved');
    };
    const saved = async (as: Person, discoveryUrl: string): Promise<boolean> => {
      assert.equal((await save(as, discoveryUrl)).status, 200);
      return makesOwners();
    };
    assert.equal(await saved(ada, ours), true);
    assert.equal(await saved(ada, theirs), false);
    assert.equal(await saved(admin, ours), false);
    assert.equal((await server.call(`DELETE ${address}`, { as: ada })).status, 204);
    assert.equal(await saved(ada, theirs), false);
    assert.equal((await confirm(server, ada)).status, 204);
    assert.equal(await saved(ada, theirs), true);
  });

  test('is refused ten minutes after signing in, and allowed for ten minutes after entering the password', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, password);
    const organizationId = await server.createOrganization(ada);
    const [second, third] = [
      await server.createMember(organizationId, 'owner'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const members = `/api/organizations/${organizationId}/members`;
    const policy = (roleMappings: object[]) => ({ requireSso: false, defaultRole: 'viewer', roleMappings });
    const toOwner = { claim: 'roles', value: 'Boss', role: 'owner' };
    const ask = {
      'recovery codes': () => server.call(`POST /api/sso/orgs/${organizationId}/recovery-codes`, { as: ada }),
      'making an owner': () =>
        server.call(`PATCH ${members}/${third.id}`, { as: ada, body: { role: 'owner' } }),
      'unmaking an owner': () =>
        server.call(`PATCH ${members}/${third.id}`, { as: ada, body: { role: 'viewer' } }),
      'removing an owner': () => server.call(`DELETE ${members}/${second.id}`, { as: ada }),
      'inviting an owner': () =>
        server.call(`POST /api/organizations/${organizationId}/invitations`, {
          as: ada,
          body: { email: 'new@example.com', role: 'owner' },
        }),
      'a mapping to owner': () =>
        server.call(`PUT /api/sso/orgs/${organizationId}/policy`, { as: ada, body: policy([toOwner]) }),
    };
    server.advance(minutesMs(10));
    for (const [name, call] of Object.entries(ask)) {
      // At first a viewer, who is not an owner yet.
      if (name !== 'unmaking an owner') assert.deepEqual(problemOf(await call()), required, name);
    }
    const requireSso = await server.call(`PUT /api/sso/orgs/${organizationId}/policy`, {
      as: ada,
      body: { ...policy([]), requireSso: true },
    });
    assert.deepEqual(problemOf(requireSso), required);
    // Changes that don't affect owners still work.
    for (const [line, body] of [
      [`PATCH ${members}/${third.id}`, { role: 'admin' }],
      [`PUT /api/sso/orgs/${organizationId}/policy`, { ...policy([]), defaultRole: 'editor' }],
      [
        `POST /api/sso/orgs/${organizationId}/config`,
        { provider: 'idp_ad', clientId: 'client', emailDomains: ['example.com'], enabled: true },
      ],
    ] as const) {
      assert.equal((await server.call(line, { as: ada, body })).status, 200, line);
    }
    assert.equal((await confirm(server, ada)).status, 204);
    server.advance(minutesMs(10) - 1);
    for (const [name, call] of Object.entries(ask)) {
      const response = await call();
      assert.ok(response.status < 300, `${name}: ${response.text}`);
    }
    server.advance(1);
    assert.deepEqual(problemOf(await ask['making an owner']()), required);
  });

  test('is allowed for one session, and only with the password of its own account', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, password);
    const organizationId = await server.createOrganization(ada);
    const scoped = await server.createSsoSession(ada, organizationId);
    server.advance(minutesMs(11));
    const codes = (as: Person) => server.call(`POST /api/sso/orgs/${organizationId}/recovery-codes`, { as });
    const wrong = { status: 401, code: 'invalid_credentials' };
    assert.deepEqual(problemOf(await confirm(server, ada, 'a guess')), wrong);
    assert.deepEqual(problemOf(await codes(ada)), required);
    assert.equal((await confirm(server, scoped)).status, 204);
    assert.deepEqual([(await codes(scoped)).status, (await codes(ada)).status], [201, 403]);
    const { body } = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=sign_in.refused`,
      { as: ada },
    );
    assert.equal(body.items[0].details.code, 'wrong_password');

    const bob = await server.createMember(organizationId, 'owner');
    assert.deepEqual(problemOf(await confirm(server, bob)), { status: 403, code: 'forbidden' });
    for (let guess = 0; guess < 10; guess += 1) await confirm(server, ada, 'a guess');
    const limited = { status: 429, code: 'too_many_attempts' };
    assert.deepEqual(problemOf(await confirm(server, ada)), limited);
  });

  test('is allowed after signing in again', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await setPassword(server, ada, password);
    const organizationId = await server.createOrganization(ada);
    server.advance(minutesMs(11));
    const signedIn = await server.call('POST /api/auth/sign-in/email', {
      body: { email: ada.email, password },
    });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const line = `POST /api/sso/orgs/${organizationId}/recovery-codes`;
    assert.equal((await server.call(line, { headers: { cookie } })).status, 201);
    assert.deepEqual(problemOf(await server.call(line, { as: ada })), required);
  });
});
