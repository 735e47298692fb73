import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readArchive } from '../../../tests/support/archives.ts';
import { storePasskey } from '../../../tests/support/credentials/authenticator.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import { setUpApp } from '../../../tests/support/organizations/second-factors.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import type { Actor } from '../base/actor.ts';
import { maxPageBytes } from '../base/paging.ts';
import type { Database } from '../storage/database.ts';
import { accountExportDependencies, exportAccount } from './export.ts';

const line = 'GET /api/auth/account/export';

async function exportAs(server: TestServer, as: Person): Promise<ReadonlyMap<string, string>> {
  const response = await server.call(line, { as });
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-disposition'], 'attachment; filename=atrium-account.zip');
  const files = await readArchive(response.bytes);
  return new Map([...files].map(([name, content]) => [name, content.toString('utf8')]));
}

describeOnUsualEngine('the export of an account', (engine) => {
  test('has what the person owns and did, and no secret and nothing of others', async (context) => {
    const { server, owner, organizationId, id: dataSourceId } = await startNewsroom(context, engine);
    const eve = await server.createPerson('Eve');
    await server.addMember(organizationId, eve, 'editor');
    const other = await server.createMember(organizationId, 'editor');
    await setPassword(server, eve, 'the password of Eve');
    const post = async (as: Person, path: string, body: object): Promise<{ id: string; token?: string }> => {
      const response = await server.call(`POST ${path}`, { as, body });
      assert.ok(response.status < 300, response.text);
      return response.body;
    };
    const token = await post(eve, '/api/auth/tokens', {
      organizationId,
      name: 'Script',
      scopes: ['read'],
      expiresAt: '2026-11-28T09:00:00.000Z',
    });
    const query = { organizationId, dataSourceId };
    await post(eve, '/api/reports', { ...query, name: 'Mine', query: 'SELECT 1 AS mine' });
    await post(other, '/api/reports', { ...query, name: 'Theirs', query: 'SELECT 2 AS foreign_marker' });
    const dashboard = await post(eve, '/api/dashboards', { organizationId, name: 'Week' });
    await post(eve, '/api/dashboards', { name: 'Diary' });
    await post(other, '/api/dashboards', { organizationId, name: 'foreign_marker' });
    await post(eve, `/api/dashboards/${dashboard.id}/comments`, { text: '{"is":"text"}' });
    await post(other, `/api/dashboards/${dashboard.id}/comments`, { text: 'foreign_marker' });
    await server.call(`PUT /api/dashboards/${dashboard.id}/star`, { as: eve });
    await storePasskey(server, eve);
    const stranger = await server.createPerson('Stranger');
    const elsewhere = await server.createOrganization(stranger);
    await server.addMember(elsewhere, eve, 'viewer');
    await server.call(`DELETE /api/organizations/${elsewhere}/members/${eve.id}`, { as: stranger });

    const files = await exportAs(server, eve);
    const rowsOf = (name: string) =>
      (files.get(`${name}.ndjson`) ?? '')
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => JSON.parse(row) as Record<string, unknown>);
    assert.match(files.get('README.txt') ?? '', /the data of your Atrium account/);
    assert.equal((JSON.parse(files.get('account.json') ?? '') as { email: string }).email, eve.email);
    const namesIn = (name: string) => rowsOf(name).map((row) => row['name']);
    assert.deepEqual(namesIn('reports'), ['Mine']);
    assert.deepEqual(namesIn('dashboards'), ['Week']);
    assert.deepEqual(namesIn('personal-dashboards'), ['Diary']);
    assert.deepEqual(namesIn('passkeys'), ['Stored passkey']);
    assert.deepEqual(namesIn('tokens'), ['Script']);
    assert.deepEqual(namesIn('memberships'), ['Organization']);
    assert.deepEqual(
      rowsOf('comments').map(({ text }) => text),
      ['{"is":"text"}'],
    );
    assert.equal(rowsOf('stars').length, 1);
    assert.ok(rowsOf('audit-log').some(({ action }) => action === 'account.exported'));
    const all = [...files.values()].join('\n');
    for (const secret of [
      'foreign_marker',
      eve.token,
      token.token ?? '',
      '$argon2',
      '$scrypt',
      other.email,
      elsewhere,
    ])
      assert.ok(!all.includes(secret), secret);
    const audit = await server.call(
      `GET /api/organizations/${organizationId}/audit?action=account.exported`,
      { as: owner },
    );
    assert.equal(audit.body.items.length, 1);
  });

  test('through the directory of one organization has nothing of others', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const other = await server.createOrganization(owner);
    await server.call('POST /api/dashboards', { as: owner, body: { organizationId: other, name: 'Other' } });
    const personal = await server.call('POST /api/dashboards', { as: owner, body: { name: 'Personal' } });
    await server.call(`PUT /api/dashboards/${personal.body.id}/star`, { as: owner });
    await server.call(`GET /api/dashboards/${personal.body.id}`, { as: owner });
    await setPassword(server, owner, 'the password of Ada');
    await setUpApp(server, owner);
    const { session } = (await server.call('GET /api/auth/get-session', { as: owner })).body;
    const words = [personal.body.id, session.id, 'recoveryCodes', 'authenticatorAppSince'];
    const whole = [...(await exportAs(server, owner)).values()].join('\n');
    for (const text of words) assert.ok(whole.includes(text), text);
    const files = await exportAs(server, await server.createSsoSession(owner, organizationId));
    const all = [...files].map(([name, content]) => (name.includes('audit') ? '' : content)).join('\n');
    for (const text of [other, '"Other"', '"Personal"', ...words]) assert.ok(!all.includes(text), text);
  });

  test('is refused to tokens, without a confirmation, and the sixth time in 15 minutes', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const body = { organizationId, name: 'All', scopes: ['read'], expiresAt: '2026-11-28T09:00:00.000Z' };
    const token = await server.call('POST /api/auth/tokens', { as: owner, body });
    const as = { ...owner, token: token.body.token, isBearer: true };
    assert.deepEqual(problemOf(await server.call(line, { as })), { status: 403, code: 'insufficient_scope' });
    const head = await server.call(line.replace('GET', 'HEAD'), { as: owner });
    assert.deepEqual([head.status, head.headers['allow']], [405, 'GET, OPTIONS']);
    const headers = { 'sec-fetch-site': 'cross-site' };
    assert.deepEqual(problemOf(await server.call(line, { as: owner, headers })), {
      status: 403,
      code: 'forbidden',
    });
    for (let count = 0; count < 5; count += 1) await exportAs(server, owner);
    const refused = problemOf(await server.call(line, { as: owner }));
    assert.deepEqual(refused, { status: 429, code: 'too_many_attempts' });
    server.advance(11 * 60_000);
    const late = problemOf(await server.call(line, { as: owner }));
    assert.deepEqual(late, { status: 403, code: 'confirmation_required' });
  });

  test('holds two chunks while its client reads nothing, and is the only one of its person', async (context) => {
    const server = await startTestServer(context, engine);
    const eve = await server.createPerson('Eve');
    // Compression must not make it small.
    const description = randomBytes(735_000).toString('base64');
    for (let count = 0; count < 6; count += 1)
      await server.call('POST /api/dashboards', { as: eve, body: { name: 'Large', description } });
    let readBytes = 0;
    const hasRead = Promise.withResolvers<void>();
    const database: Database = {
      ...server.database,
      async page(query, parameters, maxBytes) {
        const found = await server.database.page(query, parameters, maxBytes);
        readBytes += found.sizeBytes;
        if (readBytes > description.length) hasRead.resolve();
        return found;
      },
    };
    const dependencies = accountExportDependencies(database, server.clock);
    const actor: Actor = {
      userId: eve.id,
      credential: { kind: 'session', id: '', method: 'password', confirmedAt: server.clock() },
      scope: 'all',
      satisfiesSso: false,
    };
    const { signal } = new AbortController();
    const archive = await exportAccount(dependencies, actor, signal);
    await hasRead.promise;
    // Nothing else is read until the client reads.
    const passTurns = async () => {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    };
    await passTurns();
    assert.ok(readBytes < 2 * maxPageBytes, `${readBytes} bytes`);
    await assert.rejects(exportAccount(dependencies, actor, signal), { code: 'exports_busy' });
    await archive.resume().toArray();
    assert.ok(readBytes > 6 * description.length);
    // The place is free once the stream is closed.
    await passTurns();
    const next = await exportAccount(dependencies, actor, signal);
    next.destroy();
  });
});
