import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { createSecretBox } from '../base/credentials/secret-box.ts';
import { prepare } from '../storage/prepared-query.ts';
import { rotatePasswords } from './passwords.ts';

const canary = 'canary-password-7f3a';
const connection = { host: 'db.example', port: 5432, database: 'sales', user: 'reader', tls: 'verify' };
const postgresql = { name: 'Sales', kind: 'postgresql', connection: { ...connection, password: canary } };

const allRows = prepare((db) => db.selectFrom('data_sources').selectAll().orderBy('id'));

async function open(server: TestServer) {
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const path = `/api/organizations/${organizationId}/data-sources`;
  const create = (body: unknown, as = ada) => server.call(`POST ${path}`, { as, body });
  return { ada, organizationId, path, create };
}

describeOnUsualEngine('a data source', (engine) => {
  test('is created, read, listed, changed and deleted', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, organizationId, path, create } = await open(server);
    const files = await create({ name: 'Files', kind: 'files' });
    const at = '2026-11-21T09:00:00.000Z';
    const { id } = files.body;
    assert.deepEqual(
      [files.status, files.body],
      [201, { id, organizationId, name: 'Files', kind: 'files', createdAt: at, updatedAt: at }],
    );
    assert.match(id, /^[0-9a-f-]{36}$/);
    // A more secure connection keeps the password.
    const encrypted = { ...connection, tls: 'require' };
    const sales = await create({ ...postgresql, connection: { ...encrypted, password: canary } });
    assert.deepEqual(sales.body, {
      id: sales.body.id,
      organizationId,
      name: 'Sales',
      kind: 'postgresql',
      connection: { ...encrypted, hasPassword: true },
      createdAt: at,
      updatedAt: at,
    });
    const one = `/api/data-sources/${sales.body.id}`;
    assert.deepEqual((await server.call(`GET ${one}`, { as: ada })).body, sales.body);
    const listed = await server.call(`GET ${path}?limit=1`, { as: ada });
    assert.deepEqual(listed.body.items, [sales.body]);
    const second = await server.call(`GET ${path}?cursor=${listed.body.nextCursor}`, { as: ada });
    assert.deepEqual(second.body, { items: [files.body] });

    server.advance(1_000);
    const changed = await server.call(`PUT ${one}`, {
      as: ada,
      body: { name: 'Numbers', kind: 'postgresql', connection },
    });
    assert.deepEqual(changed.body, {
      ...sales.body,
      name: 'Numbers',
      connection: { ...connection, hasPassword: true },
      updatedAt: '2026-11-21T09:00:01.000Z',
    });
    assert.deepEqual((await server.call(`GET ${one}`, { as: ada })).body, changed.body);
    assert.equal((await server.call(`DELETE ${one}`, { as: ada })).status, 204);
    assert.deepEqual(problemOf(await server.call(`GET ${one}`, { as: ada })), {
      status: 404,
      code: 'not_found',
    });

    const audit = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: ada });
    const about = { dataSourceId: sales.body.id, kind: 'postgresql' };
    assert.deepEqual(
      audit.body.items
        .slice(0, 4)
        .map(({ action, details }: { action: string; details: object }) => [action, details]),
      [
        ['data_source.deleted', { ...about, name: 'Numbers', connection: changed.body.connection }],
        [
          'data_source.changed',
          { ...about, name: 'Numbers', connection: changed.body.connection, passwordChanged: false },
        ],
        ['data_source.created', { ...about, name: 'Sales', connection: sales.body.connection }],
        ['data_source.created', { dataSourceId: files.body.id, name: 'Files', kind: 'files' }],
      ],
    );
  });

  test('reports every fault of its input at once', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, create } = await open(server);
    const faultsOf = async (body: unknown) => problemOf(await create(body)).faults;
    const withHost = (host: string) => ({ ...postgresql, connection: { ...connection, host } });
    assert.deepEqual(await faultsOf({ name: '', kind: 'mysql' }), ['/kind enum', '/name minLength']);
    assert.deepEqual(await faultsOf({ name: 'S', kind: 'postgresql' }), ['/connection required']);
    assert.deepEqual(await faultsOf({ ...postgresql, kind: 'files' }), ['/connection unknown']);
    for (const host of [
      '/var/run/postgresql',
      'a b',
      'db.example/x',
      'db.example:5432',
      'u@db',
      '@x',
      '1.2.3',
    ])
      assert.deepEqual(await faultsOf(withHost(host)), ['/connection/host host'], host);
    for (const [host, stored] of [
      [' DB.Example', 'db.example'],
      ['[2001:DB8::1]', '2001:db8::1'],
      ['bücher.example', 'xn--bcher-kva.example'],
    ] as const)
      assert.equal((await create(withHost(host))).body.connection.host, stored);

    const { body: source } = await create({ name: 'F', kind: 'files' });
    const changed = await server.call(`PUT /api/data-sources/${source.id}`, {
      as: ada,
      body: { ...postgresql },
    });
    assert.deepEqual(problemOf(changed).faults, ['/connection unknown', '/kind const']);
  });

  test('of files requires the editor role, and one of a server the admin role', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, organizationId, create } = await open(server);
    const editor = await server.createMember(organizationId, 'editor');
    const { body: sales } = await create(postgresql);
    const statuses = [
      (await create(postgresql, editor)).status,
      (await server.call(`PUT /api/data-sources/${sales.id}`, { as: editor, body: postgresql })).status,
      (await server.call(`DELETE /api/data-sources/${sales.id}`, { as: editor })).status,
      (await server.call(`GET /api/data-sources/${sales.id}`, { as: editor })).status,
    ];
    assert.deepEqual(statuses, [403, 403, 403, 200]);
    const { body: files } = await create({ name: 'F', kind: 'files' }, editor);
    const path = `/api/data-sources/${files.id}`;
    assert.equal(
      (await server.call(`PUT ${path}`, { as: editor, body: { name: 'G', kind: 'files' } })).body.name,
      'G',
    );
    assert.equal((await server.call(`DELETE ${path}`, { as: editor })).status, 204);
    assert.equal((await server.call(`DELETE /api/data-sources/${sales.id}`, { as: ada })).status, 204);
  });

  test('is deleted while reports use it only by force, except for those in the trash', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, organizationId, create } = await open(server);
    const { body: source } = await create({ name: 'F', kind: 'files' });
    const at = '2026-11-21T09:00:00.000Z';
    await server.database.write((transaction) =>
      transaction.run(insertReport, { id: 'r', organizationId, userId: ada.id, sourceId: source.id, at }),
    );
    const line = `DELETE /api/data-sources/${source.id}`;
    const refused = await server.call(line, { as: ada });
    assert.deepEqual(problemOf(refused), { status: 409, code: 'data_source_in_use' });
    assert.deepEqual([refused.body.reports, refused.body.reportCount], [[{ id: 'r', name: 'R' }], 1]);
    assert.equal((await server.call(`${line}?force=true`, { as: ada })).status, 204);
    assert.equal(
      (await server.call(`POST /api/trash/data-sources/${source.id}/restore`, { as: ada })).status,
      200,
    );
    await server.database.write((transaction) =>
      transaction.execute(`update reports set deleted_at = '${at}', deleted_by = '${ada.id}'`),
    );
    assert.equal((await server.call(line, { as: ada })).status, 204);
  });
});

const insertReport = prepare(
  (db, p: { id: string; organizationId: string; userId: string; sourceId: string; at: string }) =>
    db.insertInto('reports').values({
      id: p.id,
      organization_id: p.organizationId,
      user_id: p.userId,
      data_source_id: p.sourceId,
      name: 'R',
      content: '{}',
      version: 1,
      created_at: p.at,
      updated_at: p.at,
      updated_by: p.userId,
      change: 'created',
    }),
);

describeOnUsualEngine('the password of a data source', (engine) => {
  test('is preserved when left out, replaced when given, and removed when empty', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, organizationId, create } = await open(server);
    const { body: source } = await create({ ...postgresql, connection });
    const stored = async () => {
      const sealed = (await server.database.all(allRows, {}))[0]?.password;
      return sealed && server.secretBox.open(organizationId, 'data-source-password', sealed);
    };
    const seen = [];
    for (const password of [undefined, 'one', undefined, ' two ', '', undefined]) {
      const body = {
        ...postgresql,
        connection: { ...connection, ...(password !== undefined && { password }) },
      };
      const response = await server.call(`PUT /api/data-sources/${source.id}`, { as: ada, body });
      seen.push([password, response.body.connection.hasPassword, await stored()]);
    }
    assert.deepEqual(seen, [
      [undefined, false, null],
      ['one', true, 'one'],
      [undefined, true, 'one'],
      [' two ', true, ' two '],
      ['', false, null],
      [undefined, false, null],
    ]);
  });

  test('is removed permanently when the connection changes to another server or becomes less secure', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, create } = await open(server);
    const { body: source } = await create(postgresql);
    const put = async (change: object) => {
      const body = { ...postgresql, connection: { ...connection, ...change } };
      return (await server.call(`PUT /api/data-sources/${source.id}`, { as: ada, body })).body.connection
        .hasPassword;
    };
    const kept = [];
    for (const change of [
      { tls: 'require' },
      { tls: 'off' },
      { host: 'DB.example ' },
      { host: 'evil.example' },
      { port: 5433 },
      { database: 'Sales' },
      { user: 'Reader' },
    ]) {
      await put({ password: canary });
      kept.push([change, await put(change), await put({})]);
    }
    assert.deepEqual(kept, [
      [{ tls: 'require' }, false, false],
      [{ tls: 'off' }, false, false],
      [{ host: 'DB.example ' }, true, true],
      [{ host: 'evil.example' }, false, false],
      [{ port: 5433 }, false, false],
      [{ database: 'Sales' }, false, false],
      [{ user: 'Reader' }, false, false],
    ]);
    await put({ password: canary });
    assert.equal(await put({ host: 'other.example', password: 'new' }), true);
    for (const tls of ['off', 'require', 'verify']) {
      await put({ password: canary, tls: 'off' });
      assert.equal(await put({ tls }), true, `the way there is as safe as before by ${tls}`);
    }
  });

  test('is in no response, audit entry or log, and is encrypted in the database', async (context) => {
    const server = await startTestServer(context, engine);
    server.expectErrors();
    const { ada, organizationId, path, create } = await open(server);
    const created = await create(postgresql);
    const one = `/api/data-sources/${created.body.id}`;
    const responses = [
      created,
      await server.call(`GET ${one}`, { as: ada }),
      await server.call(`GET ${path}`, { as: ada }),
      await server.call(`PUT ${one}`, { as: ada, body: postgresql }),
      await create({ ...postgresql, connection: { ...postgresql.connection, port: '1' } }),
      await create({ ...postgresql, connection: { ...postgresql.connection, host: '/' } }),
      await server.call(`GET /api/organizations/${organizationId}/audit`, { as: ada }),
    ];
    const rows = await server.database.all(allRows, {});
    assert.match(rows[0]?.password ?? '', /^v1\./);
    await server.database.write((transaction) =>
      transaction.execute('alter table data_sources rename column password to secret'),
    );
    const broken = await create(postgresql);
    assert.equal(broken.status, 500);
    const sent = [...responses, broken].map(({ text, headers }) => text + JSON.stringify(headers));
    for (const text of [...sent, ...server.log, JSON.stringify(rows)]) {
      for (const form of [
        canary,
        Buffer.from(canary).toString('base64'),
        Buffer.from(canary).toString('hex'),
      ])
        assert.ok(!text.includes(form), text);
    }
  });

  test('is re-encrypted with the first root key, once, and only for its organization', async (context) => {
    const server = await startTestServer(context, engine);
    const { create, organizationId } = await open(server);
    const other = await open(server);
    await create(postgresql);
    await create({ ...postgresql, connection });
    await other.create(postgresql);
    const newKey = 'the next root key, 32 characters or more';
    const rotating = createSecretBox([newKey, 'the root key of the tests, 32 characters or more']);
    assert.equal(await rotatePasswords(server.database, rotating), 2);
    assert.equal(await rotatePasswords(server.database, rotating), 0);
    const newBox = createSecretBox([newKey]);
    const [first, , last] = await server.database.all(allRows, {});
    const openAs = (id: string, sealed = '') => newBox.open(id, 'data-source-password', sealed);
    assert.equal(openAs(organizationId, first?.password ?? ''), canary);
    assert.equal(openAs(other.organizationId, last?.password ?? ''), canary);
    assert.throws(() => openAs(other.organizationId, first?.password ?? ''));
  });
});
