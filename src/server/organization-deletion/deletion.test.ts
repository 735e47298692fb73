import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { daysMs, minutesMs } from '../base/clock.ts';
import { insertMember } from '../organizations/member-store.ts';
import { setSsoRequirement } from '../organizations/organizations.ts';
import { startSession } from '../sessions/sessions.ts';
import { prepare } from '../storage/prepared-query.ts';
import { deleteByOperator, graceDays, restoreByOperator } from './deletion.ts';

const problemOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

async function openOffice(server: TestServer) {
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}`;
  const { name } = (await server.call(`GET ${path}`, { as: owner })).body;
  const remove = (as: Person, body: object = { name }) => server.call(`POST ${path}/delete`, { as, body });
  return { owner, organizationId, path, name, remove };
}

const tokenOf = (link: string): string => link.split('#')[1] ?? '';

describeOnUsualEngine('a deleted organization', (engine) => {
  test('requires its members to sign in through the directory again after it was restored', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, path, remove } = await openOffice(server);
    const limited = await server.createSsoSession(owner, organizationId);
    const token = bearer(await createToken(server, owner, { organizationId, scopes: ['read'] }));
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    assert.equal((await server.call(`GET ${path}`, token)).status, 200);
    assert.equal((await remove(limited)).status, 200);
    const restored = await server.call(`POST /api/deleted-organizations/${organizationId}/restore`, {
      as: owner,
    });
    assert.equal(restored.status, 204);
    // The directory may have disabled the person meanwhile, and the session by which that is checked has ended.
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, token)), [403, 'sso_required']);
    await server.createSsoSession(owner, organizationId);
    assert.equal((await server.call(`GET ${path}`, token)).status, 200);
  });

  test('can be deleted five times a day, so that an owner can’t use up the emails to the others', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, remove } = await openOffice(server);
    const restore = () =>
      server.call(`POST /api/deleted-organizations/${organizationId}/restore`, { as: owner });
    for (let count = 1; count <= 5; count += 1) {
      assert.equal((await remove(owner)).status, 200);
      assert.equal((await restore()).status, 204);
    }
    assert.deepEqual(problemOf(await remove(owner)), [429, 'too_many_attempts']);
  });

  test('opens only in the newest sessions of its members once it is restored, and ends none', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, path, remove } = await openOffice(server);
    const viewer = await server.createMember(organizationId, 'viewer');
    const body = { maxSessions: 1 };
    assert.equal((await server.call(`PUT ${path}/session-policy`, { as: owner, body })).status, 200);
    assert.equal((await remove(owner)).status, 200);
    const again = async ({ id, email }: Person): Promise<Person> => {
      const { token } = await server.database.write((transaction) =>
        startSession(transaction, server.clock, { id, email, name: 'Person' }, { method: 'password' }),
      );
      return { id, email, token };
    };
    const people = [owner, await again(owner), viewer, await again(viewer)];
    const restored = await server.call(`POST /api/deleted-organizations/${organizationId}/restore`, {
      as: owner,
    });
    assert.equal(restored.status, 204);
    const statusesOf = (line: string) =>
      Promise.all(people.map(async (as) => (await server.call(line, { as })).status));
    assert.deepEqual(await statusesOf(`GET ${path}`), [403, 200, 403, 200]);
    assert.deepEqual(await statusesOf('GET /api/auth/get-session'), [200, 200, 200, 200]);
  });

  test('is not there for its members, their sessions and programs, until an owner restores it', async (t) => {
    const server = await startTestServer(t, engine);
    server.mailServer.state = 'accepts';
    const { owner, organizationId, path, name, remove } = await openOffice(server);
    const viewer = await server.createMember(organizationId, 'viewer');
    const limited = await server.createSsoSession(viewer, organizationId);
    const { token } = await createToken(server, owner, { organizationId, scopes: ['read'] });
    const service = await createServiceAccount(server, owner, {
      organizationId,
      role: 'admin',
      scopes: ['read'],
    });
    const programs = [token, service.token].map((each) => ({ ...owner, token: each, isBearer: true }));
    const before = await server.call(`GET ${path}/members`, { as: owner });

    const deleted = await remove(owner);
    assert.equal(deleted.status, 200, deleted.text);
    const { restoreLink, ...shown } = deleted.body;
    const endsAt = new Date(server.clock() + daysMs(graceDays)).toISOString();
    const deletedAt = new Date(server.clock()).toISOString();
    assert.deepEqual(shown, { id: organizationId, name, deletedAt, endsAt, mailed: true });
    for (const as of [owner, viewer]) {
      assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as })), [404, 'not_found']);
      assert.deepEqual((await server.call('GET /api/organizations', { as })).body.items, []);
    }
    for (const as of [limited, ...programs])
      assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as })), [401, 'unauthenticated']);
    assert.deepEqual(problemOf(await remove(owner)), [404, 'not_found'], 'it can’t be deleted twice');
    assert.deepEqual((await server.call('GET /api/deleted-organizations', { as: owner })).body.items, [
      { id: organizationId, name, deletedAt, endsAt },
    ]);
    assert.deepEqual((await server.call('GET /api/deleted-organizations', { as: viewer })).body.items, []);
    await assert.rejects(
      server.database.write((transaction) =>
        insertMember(transaction, {
          organizationId,
          userId: viewer.id,
          role: 'owner',
          at: deletedAt,
          by: null,
        }),
      ),
      { code: 'not_found' },
    );
    const [mail] = server.mails;
    assert.deepEqual(
      server.mails.map(({ to }) => to),
      [owner.email],
    );
    assert.notEqual(restoreLink, undefined);
    assert.match(mail?.text ?? '', /restore-organization#/);

    const restore = `POST /api/deleted-organizations/${organizationId}/restore`;
    const stranger = await server.createPerson('Eve');
    for (const as of [viewer, stranger])
      assert.deepEqual(problemOf(await server.call(restore, { as })), [404, 'not_found']);
    assert.equal((await server.call(restore, { as: owner })).status, 204);
    assert.deepEqual((await server.call(`GET ${path}/members`, { as: owner })).body, before.body);
    for (const as of programs) assert.equal((await server.call(`GET ${path}`, { as })).status, 200);
    assert.equal((await server.call(`GET ${path}`, { as: limited })).status, 401, 'sessions have ended');
    assert.equal((await server.call(restore, { as: owner })).status, 404);
    const byLink = await server.call('POST /api/organizations/restore', {
      body: { token: tokenOf(restoreLink) },
    });
    assert.deepEqual(problemOf(byLink), [404, 'link_not_valid'], 'links end with the deletion');
    const audit = await server.call(`GET ${path}/audit`, { as: owner });
    assert.deepEqual(
      audit.body.items.slice(0, 2).map((entry: { action: string }) => entry.action),
      ['organization.restored', 'organization.deleted'],
    );
  });

  test('can be restored by the link of an owner who can only sign in through its directory', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, path, remove } = await openOffice(server);
    const limited = await server.createSsoSession(owner, organizationId);
    const { body } = await remove(limited);
    assert.equal((await server.call('GET /api/auth/get-session', { as: limited })).body?.session, undefined);
    const link = { token: tokenOf(body.restoreLink) };
    const restored = await server.call('POST /api/organizations/restore', { body: link });
    assert.deepEqual([restored.status, restored.body.organizationId], [200, organizationId]);
    assert.equal(restored.headers['set-cookie'], undefined, 'the link signs nobody in');
    assert.equal((await server.call(`GET ${path}`, { as: owner })).status, 200);
  });

  test('is only deleted by an owner who has confirmed and entered its name', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, path, name, remove } = await openOffice(server);
    const admin = await server.createMember(organizationId, 'admin');
    const stranger = await server.createPerson('Eve');
    const { token } = await createToken(server, owner, { organizationId, scopes: ['administer'] });
    assert.deepEqual(problemOf(await remove(admin)), [403, 'forbidden']);
    assert.deepEqual(problemOf(await remove(stranger)), [404, 'not_found']);
    assert.deepEqual(problemOf(await remove({ ...owner, token, isBearer: true })), [
      403,
      'insufficient_scope',
    ]);
    for (const wrong of ['', `${name} `, name.toUpperCase()])
      assert.deepEqual(problemOf(await remove(owner, { name: wrong })), [400, 'invalid_body']);
    assert.deepEqual(problemOf(await remove(owner, {})), [400, 'invalid_body']);
    const foreign = await server.call(`POST ${path}/delete`, {
      as: owner,
      body: { name },
      headers: { origin: 'https://evil.example' },
    });
    assert.deepEqual(problemOf(foreign), [403, 'cross_site_request']);
    server.advance(minutesMs(11));
    assert.deepEqual(problemOf(await remove(owner)), [403, 'confirmation_required']);
    assert.equal((await server.call(`GET ${path}`, { as: owner })).status, 200);
  });

  test('can’t be restored by a removed owner, or after 30 days', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, path, remove } = await openOffice(server);
    const former = await server.createMember(organizationId, 'owner');
    const { body: first } = await remove(former);
    await server.call(`POST /api/deleted-organizations/${organizationId}/restore`, { as: former });
    assert.equal((await server.call(`DELETE ${path}/members/${former.id}`, { as: owner })).status, 204);
    const { body: second } = await remove(owner);
    const byLink = (link: string) =>
      server.call('POST /api/organizations/restore', { body: { token: tokenOf(link) } });
    assert.deepEqual(problemOf(await byLink(first.restoreLink)), [404, 'link_not_valid']);
    const restore = `POST /api/deleted-organizations/${organizationId}/restore`;
    assert.deepEqual(problemOf(await server.call(restore, { as: former })), [404, 'not_found']);
    server.advance(daysMs(graceDays));
    const later = await server.createPerson('Ada');
    assert.deepEqual(problemOf(await server.call(restore, { as: later })), [404, 'not_found']);
    assert.deepEqual(problemOf(await byLink(second.restoreLink)), [404, 'link_not_valid']);
    assert.equal(await restoreByOperator(server, { organizationId }), undefined);
  });

  test('can be deleted and restored by the operator', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId, path } = await openOffice(server);
    const publicUrl = 'https://atrium.example';
    const dependencies = { database: server.database, clock: server.clock, publicUrl };
    await deleteByOperator(dependencies, { organizationId, graceMs: daysMs(1) });
    assert.equal((await server.call(`GET ${path}`, { as: owner })).status, 404);
    assert.equal((await restoreByOperator(server, { organizationId }))?.id, organizationId);
    assert.equal((await server.call(`GET ${path}`, { as: owner })).status, 200);
    await assert.rejects(deleteByOperator(dependencies, { organizationId: 'none', graceMs: 0 }), {
      code: 'not_found',
    });
  });

  test('gives its members back with every column but the time of their last sign-in through the directory', async (t) => {
    const server = await startTestServer(t, engine);
    const { owner, organizationId } = await openOffice(server);
    await server.createMember(organizationId, 'viewer');
    const { database } = server;
    await database.write((transaction) =>
      transaction.execute(
        `update members set directory_sign_in_at = '1', last_seen_at = '2', role_at = '3', role_by = '${owner.id}'`,
      ),
    );
    const all = prepare((db) => db.selectFrom('members').selectAll().orderBy('user_id'));
    const before = await database.all(all, {});
    for (const row of before)
      assert.ok(!Object.values<unknown>(row).includes(null), 'the test fills each column');
    await deleteByOperator(server, { organizationId, graceMs: daysMs(1) });
    assert.deepEqual(await database.all(all, {}), []);
    await restoreByOperator(server, { organizationId });
    assert.deepEqual(
      await database.all(all, {}),
      before.map((row) => ({ ...row, directory_sign_in_at: null })),
    );
  });
});
