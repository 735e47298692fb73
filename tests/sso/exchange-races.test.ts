import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSsoConfiguration, upsertSsoConfiguration } from '../../src/server/sso/configuration/store.ts';
import { raw } from '../support/sso/hostile-provider.ts';
import { cookieOf, countRows, startTenancies, type Tenancy } from '../support/sso/hostile-world.ts';
import { describeOnBothEngines, problemOf, type Answer } from '../support/server/test-server.ts';

const expired = { status: 400, code: 'sign_in_expired' };
const refused = { status: 403, code: 'sign_in_refused' };

/** Sends the callback of a sign-in that the provider completed. */
async function comeBack(tenancy: Tenancy): Promise<{ send: () => Promise<Answer>; cookie: string }> {
  const started = await tenancy.start();
  const back = await tenancy.provider.authorize(String(started.headers.location));
  const cookie = cookieOf(started);
  const line = `GET ${back.pathname}${back.search}`;
  return { send: () => tenancy.server.call(line, { headers: { cookie } }), cookie };
}

/** Makes the provider wait with its token until `meanwhile` has happened. */
function during(tenancy: Tenancy, meanwhile: () => Promise<unknown>, answer?: unknown): void {
  tenancy.provider.bend({ token: (honest) => meanwhile().then(() => answer ?? honest) });
}

describeOnBothEngines('while a code is being exchanged', (engine) => {
  test('a member is removed, and the sign-in ends', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server, owner, organizationId } = tenancy;
    const { send } = await comeBack(tenancy);
    const member = await server.createMember(organizationId, 'viewer');
    const sessions = await countRows(server, 'sessions');
    const path = `DELETE /api/organizations/${organizationId}/members/${member.id}`;
    during(tenancy, async () => assert.equal((await server.call(path, { as: owner })).status, 204));
    assert.deepEqual(problemOf(await send()), refused);
    assert.equal(await countRows(server, 'sessions'), sessions);
    assert.equal((await tenancy.lastRefusal())?.code, 'sign_in_ended');
    assert.deepEqual(problemOf(await send()), expired);
  });

  test('a member leaves, which does not end other people’s sign-ins', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server, organizationId } = tenancy;
    const { send } = await comeBack(tenancy);
    // Someone could leave and sign in again and again, so that nobody else could sign in.
    const member = await server.createMember(organizationId, 'viewer');
    const path = `DELETE /api/organizations/${organizationId}/members/${member.id}`;
    during(tenancy, async () => assert.equal((await server.call(path, { as: member })).status, 204));
    assert.equal((await send()).status, 302);
  });

  test('the browser signs out, and the sign-in ends', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server, owner } = tenancy;
    const { send, cookie } = await comeBack(tenancy);
    const both = `auth.session_token=${owner.token}; ${cookie}`;
    during(tenancy, async () => {
      const out = await server.call('POST /api/auth/sign-out', { headers: { cookie: both } });
      assert.equal(out.status, 200);
    });
    const answer = await send();
    assert.deepEqual(problemOf(answer), refused);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  test('the same callback is repeated, which returns 400, and the first one succeeds', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { send } = await comeBack(tenancy);
    during(tenancy, async () => assert.deepEqual(problemOf(await send()), expired));
    assert.equal((await send()).status, 302);
    assert.deepEqual(problemOf(await send()), expired);
    assert.equal(await countRows(tenancy.server, 'attempts'), 0);
  });

  test('the configuration is replaced, and failures of the old one do not count for it', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { send } = await comeBack(tenancy);
    const wrongSecret = raw({
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"invalid_client"}',
    });
    during(tenancy, () => tenancy.save(), wrongSecret);
    assert.deepEqual(problemOf(await send()), refused);
    const { state, lastFailure } = (await tenancy.status()).body;
    assert.deepEqual([state, lastFailure], ['ready', undefined]);
    assert.equal((await tenancy.lastRefusal())?.code, 'invalid_client');
  });

  test('a configuration that changed during a sign-in refuses it, which is recorded', async (context) => {
    const [tenancy] = await startTenancies(context, engine);
    const { server, organizationId } = tenancy;
    for (const change of [{ enabled: false }, { version: 99 }]) {
      await tenancy.save();
      const { send } = await comeBack(tenancy);
      const stored = await findSsoConfiguration(server.database, organizationId);
      assert.ok(stored);
      // Like a save at another server between two steps of this sign-in.
      await server.database.write((transaction) =>
        upsertSsoConfiguration(transaction, { ...stored, ...change }),
      );
      const asked = tenancy.provider.requests.length;
      assert.deepEqual(problemOf(await send()), refused);
      assert.equal(tenancy.provider.requests.length, asked);
      const refusal = await tenancy.lastRefusal();
      assert.deepEqual(
        { ...refusal },
        {
          code: 'configuration_changed',
          message: 'The configuration was changed or turned off during the sign-in.',
          address: '127.0.0.1',
        },
      );
    }
  });
});
