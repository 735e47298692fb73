import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { createPostgresDatabase } from '../../../../../tests/support/storage/postgres.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Engine,
} from '../../../../../tests/support/server/test-server.ts';

/** Starts a server that asks for the password in plain text, and records everything it receives. */
async function startRecorder(context: TestContext): Promise<{ port: number; received: () => string }> {
  const chunks: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let hasAsked = false;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (hasAsked) return void socket.destroy();
      hasAsked = true;
      // AuthenticationCleartextPassword (PostgreSQL's protocol, message formats).
      return void socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return {
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(chunks).toString('latin1'),
  };
}

/** Starts a server that may connect to its own database, the recorder and the unused port 1 of `localhost`. */
async function open(context: TestContext, engine: Engine) {
  const database = await createPostgresDatabase();
  context.after(() => database.drop());
  const url = new URL(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create schema shop');
  await client.query(
    'create table shop."Orders ""x"" {{y}}" (id bigint, price numeric(10,2), at timestamptz)',
  );
  await client.query(`insert into shop."Orders ""x"" {{y}}" values (1, 2.50, '2026-01-01T12:00:00Z')`);
  await client.end();
  const recorder = await startRecorder(context);
  const server = await startTestServer(context, engine, {
    ATRIUM_SOURCE_PRIVATE_HOSTS: `127.0.0.1:${url.port},127.0.0.1:${recorder.port},127.0.0.1:1`,
  });
  const as = await server.createPerson();
  const organizationId = await server.createOrganization(as);
  const password = decodeURIComponent(url.password);
  const connection = {
    host: '127.0.0.1',
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: url.username,
    tls: 'off',
  };
  const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as,
    body: { name: 'Shop', kind: 'postgresql', connection: { ...connection, password } },
  });
  assert.equal(created.status, 201, created.text);
  const path = `/api/data-sources/${created.body.id}`;
  const get = (rest: string) => server.call(`GET ${path}${rest}`, { as });
  const testWith = async (change: object) => {
    const body = { name: 'Shop', kind: 'postgresql', connection: { ...connection, ...change } };
    assert.equal((await server.call(`PUT ${path}`, { as, body })).status, 200);
    const { body: tested, text } = await server.call(`POST ${path}/test`, { as });
    return { ...tested, text };
  };
  return { server, as, path, organizationId, get, testWith, password, recorder };
}

describeOnUsualEngine('a PostgreSQL server as a data source', (engine) => {
  test('can be tested, and its tables listed and previewed', async (context) => {
    const { get, testWith } = await open(context, engine);
    const tested = await testWith({});
    assert.deepEqual([tested.isReachable, tested.warnings[0].code], [true, 'superuser'], tested.text);
    const { body } = await get('/tables');
    assert.deepEqual(body.items, [
      {
        schema: 'shop',
        name: 'Orders "x" {{y}}',
        columns: [
          { name: 'id', type: 'integer', sourceType: 'int8' },
          { name: 'price', type: 'decimal', sourceType: 'numeric(10,2)' },
          { name: 'at', type: 'instant', sourceType: 'timestamptz' },
        ],
      },
    ]);
    const seen = await get(`/tables/${encodeURIComponent('Orders "x" {{y}}')}/preview?schema=shop`);
    assert.deepEqual(seen.body.rows, [[1, 2.5, '2026-01-01T12:00:00Z']], seen.text);
    const missing = await get('/tables/none/preview?schema=shop');
    assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
  });

  test('is reported with the cause if it is unreachable, never with the password', async (context) => {
    const { testWith, password, server } = await open(context, engine);
    const wrong = await testWith({ password: 'not-this-canary' });
    assert.match(wrong.fault, /password authentication failed/);
    const missing = await testWith({ database: 'nowhere', password });
    assert.match(missing.fault, /database "nowhere" does not exist/);
    assert.match((await testWith({ port: 1, password })).fault, /Nothing is listening/);
    for (const text of [wrong.text, missing.text, ...server.log])
      assert.ok(!text.includes(password) && !text.includes('not-this-canary'), text);
  });

  test('does not get the stored password at a changed address', async (context) => {
    const { testWith, password, recorder } = await open(context, engine);
    await testWith({ password });
    assert.equal((await testWith({ port: recorder.port })).isReachable, false);
    assert.ok(recorder.received().includes('postgres'), 'the recorder received a connection');
    assert.ok(!recorder.received().includes(password));
    await testWith({ port: recorder.port, password: 'a new one' });
    assert.ok(recorder.received().includes('a new one'), 'the recorder receives passwords');
    assert.ok(!recorder.received().includes(password));
  });

  test('in a private network is not connected to, and all errors look the same', async (context) => {
    const { testWith, get, server, as, path, recorder } = await open(context, engine);
    const closed = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1');
    await once(closed, 'listening');
    let connections = 0;
    closed.on('connection', () => (connections += 1));
    context.after(() => closed.close());
    const { port } = closed.address() as AddressInfo;
    const faults = new Set<string>();
    for (const [host, at] of [
      ['127.0.0.1', port],
      ['127.0.0.1', 2],
      ['localhost', port],
      ['::1', port],
      ['::ffff:127.0.0.1', port],
      ['169.254.169.254', 80],
      ['10.0.0.1', 5432],
      ['none.invalid', 5432],
      ['localhost', recorder.port],
    ] as const) {
      const { isReachable, fault } = await testWith({ host, port: at, password: 'x' });
      assert.equal(isReachable, false, host);
      faults.add(fault.replace(`${host}:${at}`, 'it'));
    }
    assert.equal(faults.size, 1, [...faults].join('\n'));
    assert.match([...faults].join(), /ATRIUM_SOURCE_PRIVATE_HOSTS/);
    assert.deepEqual([connections, recorder.received()], [0, '']);
    for (const rest of ['/tables', '/tables/t/preview'])
      assert.equal((await get(rest)).body.code, 'source_unreachable');
    const { status } = await server.call(`DELETE ${path}/tables/t`, { as });
    assert.equal(status, 404);
    const upload = { as, body: 'a\n1\n', headers: { 'content-type': 'text/csv' } };
    assert.equal((await server.call(`PUT ${path}/tables/t`, upload)).status, 404);
  });
});
