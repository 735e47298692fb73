import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { bearer, createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { invite } from '../../../../tests/support/organizations/calls.ts';
import { runOn } from '../../../../tests/support/server/commands.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type CallOptions,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { hoursMs, minutesMs } from '../../base/clock.ts';
import { startSession } from '../sessions.ts';

const office = { 'x-forwarded-for': '203.0.113.7' };
const elsewhere = { 'x-forwarded-for': '198.51.100.9' };

describeOnBothEngines('the session policy of an organization', (engine) => {
  test('ends sessions that were not used, and those that are too old, from the next request on', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, member, put } = await startOrganization(server);
    const status = async (as: Person) => (await server.call('GET /api/auth/get-session', { as })).status;

    server.advance(minutesMs(31));
    assert.equal(await status(member), 200);
    server.advance(minutesMs(31));
    await put({ idleMinutes: 30 });
    assert.equal(await status(member), 401, 'it was not used for 31 minutes');
    server.advance(minutesMs(20));
    assert.equal(await status(owner), 200);
    server.advance(minutesMs(20));
    assert.equal(await status(owner), 200, 'each use counts');

    await put({ absoluteHours: 2 });
    server.advance(minutesMs(17));
    assert.equal(await status(owner), 200);
    server.advance(minutesMs(2));
    assert.equal(await status(owner), 401);
  });

  test('does not concern people who are not members', async (context) => {
    const server = await startTestServer(context, engine);
    const { put } = await startOrganization(server);
    await put({ idleMinutes: 15, absoluteHours: 1, maxSessions: 1, addresses: ['127.0.0.1'] });
    const other = await server.createPerson();
    await startOrganization(server, other);
    server.advance(hoursMs(3));
    assert.equal((await server.call('GET /api/organizations', { as: other })).status, 200);
  });

  test('is shown to the person with each session', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, put } = await startOrganization(server);
    await put({ idleMinutes: 30, absoluteHours: 10 });
    const { session } = (await server.call('GET /api/auth/get-session', { as: owner })).body;
    assert.deepEqual([session.expiresAt, session.idleMinutes], ['2026-11-21T19:00:00.000Z', 30]);
    const { items } = (await server.call('GET /api/auth/list-sessions', { as: owner })).body;
    assert.deepEqual(items, [session]);
  });

  test('ends the oldest sessions of a person who has too many', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, member, put } = await startOrganization(server);
    const signIn = async () => {
      const user = { id: member.id, email: member.email, name: 'Member' };
      const { token } = await server.database.write((transaction) =>
        startSession(transaction, server.clock, user, { method: 'password' }),
      );
      return `${sessionCookie}=${token}`;
    };
    const statusOf = async (cookie: string) =>
      (await server.call('GET /api/auth/get-session', { headers: { cookie } })).status;
    const cookies = [await signIn(), await signIn(), await signIn()];
    await put({ maxSessions: 2 });
    assert.deepEqual(await Promise.all(cookies.map(statusOf)), [401, 200, 200]);
    cookies.push(await signIn());
    assert.deepEqual(await Promise.all(cookies.map(statusOf)), [401, 401, 200, 200]);
    assert.equal((await server.call('GET /api/auth/get-session', { as: owner })).status, 200);

    await put({});
    cookies.push(await signIn());
    const joined = await startOrganization(server, undefined, office);
    await joined.put({ maxSessions: 2 });
    const { token } = await invite(server, joined.owner, joined.organizationId, member.email);
    const accepted = await server.call('POST /api/invitations/accept', {
      headers: { cookie: cookies[2] ?? '' },
      body: { token },
    });
    assert.equal(accepted.status, 200, accepted.text);
    const statuses = await Promise.all(cookies.slice(2).map(statusOf));
    assert.deepEqual(statuses, [200, 401, 200], 'the session that accepts stays');
  });

  test('closes the organization to other addresses, for sessions and tokens, and nothing else', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' });
    const { owner, organizationId, put } = await startOrganization(server, undefined, office);
    const token = bearer(await createToken(server, owner, { organizationId }));
    const program = bearer(await createServiceAccount(server, owner, { organizationId }));
    const own = await startOrganization(server, owner);
    await put({ addresses: ['203.0.113.0/24', '2001:db8::/32'] });
    const read = (path: string, from: Record<string, string>, call: CallOptions) =>
      server.call(`GET ${path}`, { ...call, headers: { ...call.headers, ...from } });
    const refused = { status: 403, code: 'address_not_allowed' };
    const path = `/api/organizations/${organizationId}`;
    for (const [name, call] of Object.entries({ session: { as: owner }, token, program })) {
      assert.equal((await read(path, office, call)).status, 200, name);
      assert.deepEqual(problemOf(await read(path, elsewhere, call)), refused, name);
      assert.deepEqual(problemOf(await read(`${path}/members`, elsewhere, call)), refused, name);
    }
    assert.equal(
      (await read(`/api/organizations/${own.organizationId}`, elsewhere, { as: owner })).status,
      200,
    );
    assert.deepEqual((await read('/api/dashboards', elsewhere, { as: owner })).status, 200);
    // A header that no proxy of ours has set counts for nothing.
    const forged = { 'x-forwarded-for': '203.0.113.7, 198.51.100.9' };
    assert.deepEqual(problemOf(await read(path, forged, { as: owner })), refused);
  });

  test('names each wrong address, and refuses to lock out the person who saves it', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' });
    const { put } = await startOrganization(server, undefined, office);
    const wrong = await put({ addresses: ['203.0.113.0/24', 'office', '10.0.0.0/64'] });
    assert.deepEqual(
      wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/addresses/1', '/addresses/2'],
    );
    const own = await put({ addresses: ['198.51.100.0/24'] });
    assert.deepEqual([own.status, own.body.errors[0].code], [400, 'own_address']);
    assert.match(own.body.errors[0].message, /203\.0\.113\.7/);
    assert.equal((await put({ idleMinutes: 1 })).status, 400);
  });

  test('is read by members, changed by admins, and lifted by the operator', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' });
    const { owner, member, organizationId, put } = await startOrganization(server, undefined, office);
    const line = `/api/organizations/${organizationId}/session-policy`;
    const policy = { idleMinutes: 60, maxSessions: 3, addresses: ['203.0.113.7'] };
    assert.deepEqual((await put(policy)).body, policy);
    assert.deepEqual((await server.call(`GET ${line}`, { as: member, headers: office })).body, policy);
    const denied = await server.call(`PUT ${line}`, { as: member, headers: office, body: {} });
    assert.deepEqual(problemOf(denied), { status: 403, code: 'forbidden' });

    const lift = (id: string) => runOn(server, ['organization', 'allow-addresses', '--organization', id]);
    assert.equal((await lift(organizationId)).output, 'members can use it from any address again');
    assert.equal((await lift(organizationId)).output, 'members can already use it from any address');
    assert.notEqual((await lift('nowhere')).exitCode, 0);
    const read = await server.call(`GET ${line}`, { as: owner, headers: elsewhere });
    assert.deepEqual(read.body, { ...policy, addresses: [] });
    const { items } = (await server.call(`GET /api/organizations/${organizationId}/audit`, { as: owner }))
      .body;
    const saved = items.filter(({ action }: { action: string }) => action === 'session_policy.saved');
    assert.equal(saved.length, 2);
  });
});

/** Creates an organization with an owner and a viewer; `put` saves its policy as the owner. */
async function startOrganization(server: TestServer, as?: Person, headers: Record<string, string> = {}) {
  const owner = as ?? (await server.createPerson('Owner'));
  const member = await server.createPerson('Member');
  const organizationId = await server.createOrganization(owner);
  await server.addMember(organizationId, member, 'viewer');
  const put = (body: object) =>
    server.call(`PUT /api/organizations/${organizationId}/session-policy`, { as: owner, headers, body });
  return { owner, member, organizationId, put };
}
