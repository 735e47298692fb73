import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { codeOf, setUpApp } from '../../../../tests/support/organizations/second-factors.ts';
import { runOn } from '../../../../tests/support/server/commands.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { minutesMs } from '../../base/clock.ts';

const password = 'correct horse battery';
const missing = { status: 403, code: 'second_factor_missing' };

describeOnUsualEngine('the second factor that an organization requires', (engine) => {
  test('closes it to members without one from the next request on, until they set one up', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, organizationId, put } = await startOrganization(server);
    const viewer = await createMember(server, organizationId, 'viewer');
    const own = await server.createOrganization(viewer);
    const statuses = async (as: Person) =>
      Promise.all(
        [
          path,
          `${path}/members`,
          `/api/organizations/${own}`,
          '/api/auth/get-session',
          '/api/dashboards',
        ].map(async (line) => (await server.call(`GET ${line}`, { as })).status),
      );
    assert.deepEqual(await statuses(viewer), [200, 200, 200, 200, 200]);

    assert.deepEqual((await put({ secondFactor: 'everyone' })).body, {
      secondFactor: 'everyone',
      confirmSsoChanges: false,
    });
    assert.deepEqual(await statuses(viewer), [403, 403, 200, 200, 200]);
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as: viewer })), missing);
    assert.equal((await server.call(`GET ${path}`, { as: owner })).status, 200);

    await setUpApp(server, viewer);
    assert.deepEqual(await statuses(viewer), [200, 200, 200, 200, 200], 'in the same session');

    assert.equal((await server.call('DELETE /api/auth/authenticator-app', { as: viewer })).status, 204);
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as: viewer })), missing);
  });

  test('concerns only owners if it says so', async (context) => {
    const server = await startTestServer(context, engine);
    const { path, organizationId, put } = await startOrganization(server);
    const other = await createMember(server, organizationId, 'owner');
    const admin = await createMember(server, organizationId, 'admin');
    await put({ secondFactor: 'owners' });
    const read = async (as: Person) => (await server.call(`GET ${path}`, { as })).status;
    assert.deepEqual([await read(other), await read(admin)], [403, 200]);
    await put({ secondFactor: 'off' });
    assert.equal(await read(other), 200);
  });

  test('is the business of the directory in sessions through it, and does not concern accounts without a password', async (context) => {
    const server = await startTestServer(context, engine);
    const { path, organizationId, put } = await startOrganization(server);
    const linked = await createMember(server, organizationId, 'editor');
    const directoryOnly = await server.createMember(organizationId, 'editor');
    await put({ secondFactor: 'everyone' });
    const read = async (as: Person) => (await server.call(`GET ${path}`, { as })).status;
    const session = (method: 'sso' | 'recovery_code') =>
      server.createSsoSession(linked, organizationId, method);
    assert.equal(await read(linked), 403);
    assert.equal(await read(await session('sso')), 200);
    assert.equal(await read(await session('recovery_code')), 200);
    assert.equal(await read(directoryOnly), 200);
  });

  test('also refuses tokens of people, but not those of service accounts', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, organizationId, put } = await startOrganization(server);
    const editor = await createMember(server, organizationId, 'editor');
    const token = bearer(await createToken(server, editor, { organizationId }));
    const program = bearer(await createServiceAccount(server, owner, { organizationId }));
    await put({ secondFactor: 'everyone' });
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, token)), missing);
    assert.equal((await server.call(`GET ${path}`, program)).status, 200);
    const { items } = (await server.call('GET /api/auth/tokens', { as: editor })).body;
    assert.deepEqual(
      items.map(({ state }: { state: string }) => state),
      ['second_factor_missing'],
    );
    // The directory vouches for the person as long as a session through it could last.
    await server.createSsoSession(editor, organizationId);
    assert.equal((await server.call(`GET ${path}`, token)).status, 200);
  });

  test('is changed by owners with a recent confirmation and a second factor of their own, and audited', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, secret, path, organizationId, put } = await startOrganization(server);
    const line = `PUT ${path}/authentication-policy`;
    const body = { secondFactor: 'everyone', confirmSsoChanges: false };
    const other = await createMember(server, organizationId, 'owner');
    const admin = await createMember(server, organizationId, 'admin');
    await setUpApp(server, admin);
    assert.deepEqual(problemOf(await server.call(line, { as: admin, body })), {
      status: 403,
      code: 'forbidden',
    });
    assert.deepEqual(problemOf(await server.call(line, { as: other, body })), missing);
    assert.deepEqual((await server.call(`GET ${path}/authentication-policy`, { as: other })).body, {
      secondFactor: 'off',
      confirmSsoChanges: false,
    });
    assert.equal((await put({ secondFactor: 'all' })).status, 400);
    server.advance(minutesMs(11));
    assert.deepEqual(problemOf(await put(body)), { status: 403, code: 'confirmation_required' });
    const secondFactor = { method: 'authenticator_app', code: codeOf(server, secret) };
    await server.call('POST /api/auth/confirm', { as: owner, body: { password, secondFactor } });
    assert.equal((await put(body)).status, 200);
    const { items } = (await server.call(`GET ${path}/audit`, { as: owner })).body;
    assert.deepEqual(
      items
        .filter(({ action }: { action: string }) => action === 'authentication_policy.saved')
        .map(({ details }: { details: unknown }) => details),
      [{ before: { secondFactor: 'off', confirmSsoChanges: false }, after: body }],
    );
  });

  test('is not changed by the session limits, and neither changes them', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, put } = await startOrganization(server);
    await put({ secondFactor: 'owners' });
    const limits = { idleMinutes: 60, addresses: [] };
    await server.call(`PUT ${path}/session-policy`, { as: owner, body: limits });
    assert.deepEqual((await server.call(`GET ${path}/authentication-policy`, { as: owner })).body, {
      secondFactor: 'owners',
      confirmSsoChanges: false,
    });
    await put({ secondFactor: 'everyone' });
    assert.deepEqual((await server.call(`GET ${path}/session-policy`, { as: owner })).body, limits);
  });

  test('is lifted by the operator of the server', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, organizationId, put } = await startOrganization(server);
    await put({ secondFactor: 'everyone' });
    await server.call('DELETE /api/auth/authenticator-app', { as: owner });
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as: owner })), missing);
    const lift = (id: string) => runOn(server, ['organization', 'lift-second-factor', '--organization', id]);
    assert.equal(
      (await lift(organizationId)).output,
      'the organization no longer requires a second factor or a confirmation of SSO changes',
    );
    assert.equal(
      (await lift(organizationId)).output,
      'the organization requires neither a second factor nor a confirmation of SSO changes',
    );
    assert.notEqual((await lift('nowhere')).exitCode, 0);
    assert.equal((await server.call(`GET ${path}`, { as: owner })).status, 200);
  });

  test('is missing in the list of members, for owners and admins only', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, organizationId } = await startOrganization(server);
    const viewer = await createMember(server, organizationId, 'viewer');
    const directoryOnly = await server.createMember(organizationId, 'viewer');
    const factorsSeenBy = async (as: Person) =>
      Object.fromEntries(
        (await server.call(`GET ${path}/members`, { as })).body.items.map(
          (member: { userId: string; hasSecondFactor?: boolean }) => [member.userId, member.hasSecondFactor],
        ),
      );
    assert.deepEqual(await factorsSeenBy(owner), {
      [owner.id]: true,
      [viewer.id]: false,
      [directoryOnly.id]: undefined,
    });
    assert.deepEqual(new Set(Object.values(await factorsSeenBy(viewer))), new Set([undefined]));
  });
});

/** Creates an organization with an owner who has a second factor; `put` saves what it requires as the owner. */
async function startOrganization(server: TestServer) {
  const owner = await server.createPerson('Owner');
  await setPassword(server, owner, password);
  const { secret } = await setUpApp(server, owner);
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}`;
  const put = (body: object) =>
    server.call(`PUT ${path}/authentication-policy`, {
      as: owner,
      body: { confirmSsoChanges: false, ...body },
    });
  return { owner, secret, organizationId, path, put };
}

/** Adds a member with a password and no second factor. */
async function createMember(
  server: TestServer,
  organizationId: string,
  role: 'owner' | 'admin' | 'editor' | 'viewer',
) {
  const person = await server.createMember(organizationId, role);
  await setPassword(server, person, password);
  return person;
}
