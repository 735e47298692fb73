import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { listenForEvents } from '../../../../tests/support/server/event-reader.ts';
import { runOn } from '../../../../tests/support/server/commands.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type CallOptions,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { hoursMs, minutesMs } from '../../base/clock.ts';
import { startSession } from '../sessions.ts';

const office = { 'x-forwarded-for': '203.0.113.7' };
const exceeded = { status: 403, code: 'session_limit_exceeded' };
const elsewhere = { 'x-forwarded-for': '198.51.100.9' };

describeOnUsualEngine('the session policy of an organization', (engine) => {
  test('closes the organization to sessions that were not used, and to those that are too old, and to nothing else', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, member, organizationId, put } = await startOrganization(server);
    const own = await startOrganization(server, member);
    await server.call('POST /api/dashboards', { as: owner, body: { name: 'Board', organizationId } });
    const open = (as: Person, id: string) => server.call(`GET /api/organizations/${id}`, { as });
    const statuses = async (as: Person) => [
      (await open(as, organizationId)).status,
      (await open(as, own.organizationId)).status,
      (await server.call('GET /api/auth/get-session', { as })).status,
    ];

    server.advance(minutesMs(31));
    assert.deepEqual(await statuses(member), [200, 200, 200]);
    await put({ idleMinutes: 30 });
    server.advance(minutesMs(29));
    const again = await signIn(server, member);
    assert.deepEqual(await statuses(again), [200, 200, 200]);
    assert.deepEqual(await statuses(member), [403, 200, 200], 'it was not used for 31 minutes');
    assert.deepEqual(
      problemOf(await open(member, organizationId)),
      exceeded,
      'a use elsewhere makes up for nothing',
    );
    assert.deepEqual((await server.call('GET /api/dashboards', { as: member })).body.items, []);
    assert.equal((await server.call('GET /api/dashboards', { as: again })).body.items.length, 1);

    // The owner's session was not used for too long, either.
    const line = `PUT /api/organizations/${organizationId}/session-policy`;
    const saved = await server.call(line, { as: await signIn(server, owner), body: { absoluteHours: 2 } });
    assert.equal(saved.status, 200, saved.text);
    server.advance(minutesMs(119));
    assert.deepEqual(await statuses(again), [200, 200, 200]);
    server.advance(minutesMs(1));
    assert.deepEqual(await statuses(again), [403, 200, 200]);
    assert.deepEqual(await statuses(await signIn(server, member)), [200, 200, 200]);
  });

  test('ends sessions that open nothing else', async (context) => {
    const server = await startTestServer(context, engine);
    const { member, organizationId, put } = await startOrganization(server);
    const sessions = [
      await server.createSsoSession(member, organizationId),
      await server.createSsoSession(member, organizationId),
    ];
    const statuses = () =>
      Promise.all(
        sessions.map(async (as) => (await server.call('GET /api/auth/get-session', { as })).status),
      );
    await put({ maxSessions: 1 });
    assert.deepEqual(await statuses(), [401, 200]);
    await put({ idleMinutes: 30 });
    server.advance(minutesMs(30));
    assert.deepEqual(await statuses(), [401, 401]);
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

  test('is shown to the person with each session that opens nothing else', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, organizationId, put } = await startOrganization(server);
    await put({ idleMinutes: 30, absoluteHours: 10 });
    const limited = await server.createSsoSession(owner, organizationId);
    const { session } = (await server.call('GET /api/auth/get-session', { as: limited })).body;
    assert.deepEqual([session.expiresAt, session.idleMinutes], ['2026-11-21T19:00:00.000Z', 30]);
    const { items } = (await server.call('GET /api/auth/list-sessions', { as: owner })).body;
    assert.deepEqual(items[0], session);
    assert.deepEqual([items[1].expiresAt, items[1].idleMinutes], ['2026-11-28T09:00:00.000Z', undefined]);
  });

  test('opens the organization only in the newest sessions of a person, and ends none that are used elsewhere', async (context) => {
    const server = await startTestServer(context, engine);
    const { member, organizationId, put } = await startOrganization(server);
    const own = await startOrganization(server, member);
    const oldest = await signIn(server, member);
    const sessions = [oldest, await signIn(server, member), await signIn(server, member)];
    const statuses = (id: string) =>
      Promise.all(
        sessions.map(async (as) => (await server.call(`GET /api/organizations/${id}`, { as })).status),
      );
    await put({ maxSessions: 2 });
    assert.deepEqual(await statuses(organizationId), [403, 200, 200]);
    const newest = await signIn(server, member);
    sessions.push(newest);
    assert.deepEqual(await statuses(organizationId), [403, 403, 200, 200]);
    assert.deepEqual(
      problemOf(await server.call(`GET /api/organizations/${organizationId}`, { as: oldest })),
      exceeded,
    );
    assert.deepEqual(await statuses(own.organizationId), [200, 200, 200, 200]);
    const { body } = await server.call('GET /api/auth/list-sessions', { as: oldest });
    assert.equal(body.items.length, 5);
    await server.call('POST /api/auth/sign-out', { as: newest });
    assert.deepEqual(await statuses(organizationId), [403, 200, 200, 401], 'one that ended no longer counts');
  });

  test('ends the streams of dashboards in sessions that it closes', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, member, organizationId, put } = await startOrganization(server);
    const { body } = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId },
    });
    const open = await listenForEvents(context, server);
    const events = await open(member, `/api/dashboards/${body.id}/events`);
    assert.equal((await events.next())?.event, 'state');
    await signIn(server, member);
    await put({ maxSessions: 1 });
    assert.deepEqual(await events.next(), { event: 'ended', data: { reason: 'session_limit_exceeded' } });
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

/** Signs a person in with a session of their own, which opens all of their organizations. */
async function signIn(server: TestServer, person: Person): Promise<Person> {
  const user = { id: person.id, email: person.email, name: 'Member' };
  const { token } = await server.database.write((transaction) =>
    startSession(transaction, server.clock, user, { method: 'password' }),
  );
  return { ...person, token };
}

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
