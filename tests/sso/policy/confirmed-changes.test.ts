import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { bodies, furnish, lineOf, type Belongings } from '../attacks/belongings.ts';
import { bearer, createServiceAccount, createToken } from '../../support/credentials/tokens.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { problemOf, type TestResponse } from '../../support/server/test-server.ts';
import { describeTenancies, type HostileWorld, type Tenancy } from '../../support/sso/hostile-world.ts';

const password = 'correct horse battery';
const refused = { status: 403, code: 'confirmation_required' };

/** A test sign-in changes nothing. The rest of the contract that isn't a GET has to be a change. */
const changes = routes
  .filter(({ path, method }) => path.startsWith('/api/sso/orgs/{orgId}') && method !== 'GET')
  .filter(({ id }) => id !== 'createSsoTest' && id !== 'createSsoConnectionTest')
  // Deleting comes last, so that the others have something to change.
  .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));

/** These need a confirmation in every organization. */
const alwaysConfirmed = ['createRecoveryCodes', 'putSsoMigration'];

interface Office {
  readonly tenancy: Tenancy;
  readonly victim: Belongings;
  /** Makes a request as the owner, unless `by` has the credential. */
  send(route: Route, by?: { headers: { authorization: string } }): Promise<TestResponse>;
  require(confirmSsoChanges: boolean): Promise<TestResponse>;
  confirm(): Promise<void>;
}

async function startOffice(world: HostileWorld): Promise<Office> {
  const tenancy = await world.createTenancy();
  const { server, owner, organizationId } = tenancy;
  const victim = await furnish(tenancy);
  await setPassword(server, owner, password);
  // The owner confirms with the password only.
  await server.database.write((transaction) => transaction.execute('delete from passkeys'));
  const policy = `/api/organizations/${organizationId}/authentication-policy`;
  return {
    tenancy,
    victim,
    send: (route, by) => {
      const body = bodies(victim, tenancy)[route.id];
      return server.call(lineOf(route, victim), { ...(by ?? { as: owner }), ...(body && { body }) });
    },
    require: (confirmSsoChanges) =>
      server.call(`PUT ${policy}`, { as: owner, body: { secondFactor: 'off', confirmSsoChanges } }),
    confirm: async () => {
      const confirmed = await server.call('POST /api/auth/confirm', { as: owner, body: { password } });
      assert.equal(confirmed.status, 204, confirmed.text);
    },
  };
}

describeTenancies('changes of single sign-on, where the organization requires a confirmation', (world) => {
  test('are all refused in an unlocked browser, change nothing, and succeed after the confirmation', async () => {
    const { tenancy, send, require, confirm } = await startOffice(world);
    const { server, owner, organizationId } = tenancy;
    assert.equal((await require(true)).status, 200);
    server.advance(minutesMs(11));
    const seen = async () =>
      Promise.all(
        ['config', 'policy', 'domains', 'connections', 'migration'].map(
          async (path) =>
            (await server.call(`GET /api/sso/orgs/${organizationId}/${path}`, { as: owner })).text,
        ),
      );
    const before = await seen();
    assert.ok(changes.length >= 15, `only ${changes.length} changes`);
    for (const route of changes) assert.deepEqual(problemOf(await send(route)), refused, route.id);
    assert.deepEqual(await seen(), before);
    assert.deepEqual(problemOf(await require(false)), refused, 'turning it off');
    await confirm();
    for (const route of changes) assert.notEqual((await send(route)).body?.code, refused.code, route.id);
  });

  test('are refused to tokens, which can’t confirm anything', async () => {
    const { tenancy, send, require } = await startOffice(world);
    const { server, owner, organizationId } = tenancy;
    const input: Parameters<typeof createToken>[2] = { organizationId, scopes: ['administer'] };
    const credentials = [
      bearer(await createToken(server, owner, input)),
      bearer(await createServiceAccount(server, owner, { ...input, role: 'admin' })),
    ];
    const save = changes.find(({ id }) => id === 'createOrUpdateSsoConfiguration');
    assert.ok(save !== undefined);
    for (const by of credentials) assert.equal((await send(save, by)).status, 200);
    await require(true);
    for (const by of credentials) assert.deepEqual(problemOf(await send(save, by)), refused);
    for (const by of credentials) {
      const line = `GET /api/sso/orgs/${organizationId}/config`;
      assert.equal((await server.call(line, by)).status, 200, 'reading stays possible');
    }
  });

  test('do not tell strangers or viewers that the organization requires one', async () => {
    const { tenancy, victim, require } = await startOffice(world);
    const { server, organizationId } = tenancy;
    const stranger = await server.createPerson('Stranger');
    const viewer = await server.createMember(organizationId, 'viewer');
    await require(true);
    server.advance(minutesMs(11));
    for (const route of changes) {
      const body = bodies(victim, tenancy)[route.id];
      const statusOf = async (as: typeof viewer) =>
        (await server.call(lineOf(route, victim), { as, ...(body && { body }) })).body.code;
      assert.deepEqual(
        [await statusOf(stranger), await statusOf(viewer)],
        ['not_found', 'forbidden'],
        route.id,
      );
    }
  });

  test('can’t be made through an accomplice, who gets a role by a credential that can’t make them', async () => {
    const { tenancy, require, confirm } = await startOffice(world);
    const { server, owner, organizationId } = tenancy;
    const admin = await server.createMember(organizationId, 'admin');
    const viewer = await server.createMember(organizationId, 'viewer');
    const token = bearer(await createToken(server, admin, { organizationId, scopes: ['administer'] }));
    await require(true);
    await setPassword(server, admin, password);
    server.advance(minutesMs(11));
    type By = { headers: { authorization: string } } | { as: typeof admin };
    const organization = `/api/organizations/${organizationId}`;
    const member = `PATCH ${organization}/members/${viewer.id}`;
    const give = async (by: By, role: string) => [
      await server.call(`POST ${organization}/invitations`, {
        ...by,
        body: { email: `${role}@x.test`, role },
      }),
      await server.call(member, { ...by, body: { role } }),
    ];
    const codesOf = async (by: By, role: string) => (await give(by, role)).map(({ body }) => body.code);
    const seen = async () => [
      (await server.call(`GET ${organization}/members`, { as: owner })).text,
      (await server.call(`GET ${organization}/invitations`, { as: owner })).text,
    ];
    const before = await seen();
    for (const by of [{ as: admin }, token]) {
      for (const response of await give(by, 'admin')) assert.deepEqual(problemOf(response), refused);
    }
    assert.deepEqual(await seen(), before);

    for (const by of [{ as: admin }, token]) {
      assert.deepEqual(await codesOf(by, 'editor'), [undefined, undefined], 'roles without single sign-on');
    }
    assert.equal(
      (await server.call('POST /api/auth/confirm', { as: admin, body: { password } })).status,
      204,
    );
    assert.deepEqual(await codesOf({ as: admin }, 'admin'), [undefined, undefined]);
    assert.equal((await server.call(member, { ...token, body: { role: 'viewer' } })).status, 200, 'taking');
    await confirm();
    assert.equal((await require(false)).status, 200);
    assert.deepEqual(await codesOf(token, 'admin'), [undefined, undefined]);
  });

  test('need none by default, as before', async () => {
    const { tenancy, send } = await startOffice(world);
    tenancy.server.advance(minutesMs(11));
    for (const route of changes) {
      const code = (await send(route)).body?.code;
      assert.equal(code === refused.code, alwaysConfirmed.includes(route.id), route.id);
    }
  });
});
