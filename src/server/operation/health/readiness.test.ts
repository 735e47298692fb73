import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { HealthCheck } from '#contract/server.ts';
import { makeOperator } from '../../../../tests/support/organizations/operators.ts';
import { openLosableDatabase } from '../../../../tests/support/storage/losable-database.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  problemOf,
  startTestServer,
  type TestResponse,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { createSecretBox } from '../../base/credentials/secret-box.ts';
import { secretPurpose } from '../../sso/configuration/client-secrets.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';
import { prepare } from '../../storage/prepared-query.ts';

const unavailable = { status: 503, code: 'unavailable' };
const names = ['shutdown', 'database', 'writes', 'schema', 'permissions', 'key', 'disk', 'tables'] as const;
const allOk = names.map((name) => ({ name, status: 'ok' }));

const setVersion = prepare((sql, p: { add: number }) =>
  sql.updateTable('schema_version').set(({ eb }) => ({
    version: eb('version', '+', p.add),
    required_version: eb('version', '+', p.add),
  })),
);
const setSecret = prepare((sql, p: { organizationId: string; secret: string }) =>
  sql
    .updateTable('sso_configurations')
    .set({ client_secret: p.secret })
    .where('organization_id', '=', p.organizationId),
);

describeOnBothEngines('readiness', (engine) => {
  test('lists its checks', async (context) => {
    const server = await startTestServer(context, engine);
    const { status, body } = await server.call('GET /api/health/ready');
    assert.deepEqual([status, body], [200, { status: 'ok', checks: allOk }]);
  });

  test('fails while the server shuts down', async (context) => {
    const server = await startTestServer(context, engine);
    server.beginShutdown();
    assert.deepEqual(await failureOf(server), ['shutdown: The server is shutting down.']);
  });

  test('fails while the database does not respond', async (context) => {
    const { opened, lose } = await openLosableDatabase(context, engine);
    const server = await startTestServer(context, engine, {}, opened);
    server.expectErrors();
    await lose();
    const [failure, ...others] = await failureOf(server);
    assert.match(failure ?? '', /^database: The database does not respond\.$/);
    assert.deepEqual(others, []);
    assert.equal((await server.call('GET /api/health/live')).status, 200);
  });

  test('fails if the schema is not one that this version can use', async (context) => {
    const server = await startTestServer(context, engine);
    for (const [add, word] of [
      [1, 'newer'],
      [-2, 'older'],
    ] as const) {
      await server.database.write((transaction) => transaction.run(setVersion, { add }));
      server.advance(11_000);
      const [failure = ''] = await failureOf(server);
      assert.ok(failure.startsWith(`schema: The schema of the database is ${word} than`), failure);
    }
  });

  test('fails if the root key decrypts no secret, and is degraded if it decrypts some', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson();
    await makeOperator(server, ada);
    const other = createSecretBox(['another root key, of 32 characters or more']);
    const organizationIds = [await server.createOrganization(ada), await server.createOrganization(ada)];
    for (const organizationId of organizationIds) {
      const body = {
        provider: 'idp_ad',
        clientId: 'client',
        clientSecret: 'secret',
        emailDomains: ['example.com'],
      };
      const path = `POST /api/sso/orgs/${organizationId}/config`;
      const { status, text } = await server.call(path, { as: ada, body: { ...body, enabled: false } });
      assert.equal(status, 200, text);
    }
    const replace = async (organizationId = '') => {
      const secret = other.seal(organizationId, secretPurpose, 'secret');
      await server.database.write((transaction) => transaction.run(setSecret, { organizationId, secret }));
      server.advance(61_000);
    };
    await replace(organizationIds[0]);
    const degraded = await server.call('GET /api/health/ready');
    assert.deepEqual([degraded.status, degraded.body.status], [200, 'degraded']);
    assert.match(problemsOf(degraded)[0] ?? '', /^key: The root key decrypts only some/);
    const { body } = await server.call('GET /api/server', { as: ada });
    assert.equal(body.attention[0].code, 'key');
    await replace(organizationIds[1]);
    assert.match((await failureOf(server))[0] ?? '', /^key: The root key decrypts none/);
  });

  test('works while another session holds a lock, and is degraded', async (context) => {
    const server = await startTestServer(context, engine);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const holding = server.database.write(async (transaction) => {
      await transaction.execute(`update instance set id = id`);
      begin();
      await held;
    });
    await began;
    const response = await server.call('GET /api/health/ready');
    release();
    await holding;
    assert.deepEqual([response.status, response.body.status], [200, 'degraded']);
    assert.deepEqual(problemsOf(response), [
      'writes: The database takes longer than half a second to write.',
    ]);
  });
});

test('readiness fails while PostgreSQL is read-only', async (context) => {
  const { opened, run } = await openPostgresDatabase();
  await run(`alter database ${opened.name} set default_transaction_read_only = on`);
  const server = await startTestServer(context, 'PostgreSQL', {}, await opened.reopen());
  server.expectErrors();
  const [failure = ''] = await failureOf(server);
  assert.match(failure, /^database: The database is read-only/);
});

test('readiness fails while the role of PostgreSQL lacks a right', async (context) => {
  const { opened, run } = await openPostgresDatabase();
  const role = `limited_${opened.name}`;
  await run(`create role ${role} login password 'limited'`);
  await run(`grant select, insert, update on all tables in schema public to ${role}`);
  const server = await startTestServer(context, 'PostgreSQL', {}, await opened.reopen(role));
  server.expectErrors();
  const [failure = ''] = await failureOf(server);
  assert.match(failure, /^permissions: The role of DATABASE_URL lacks rights/);
  await run(`grant delete on all tables in schema public to ${role}`);
  server.advance(11_000);
  assert.equal(server.log.filter((line) => line.includes('not_permitted')).length, 1);
});

/** Opens a database, closes it, and returns what opens it again, as another role if one is named. */
async function openPostgresDatabase() {
  const { database, databaseUrl = '', dataDirectory, drop } = await openTestDatabase('PostgreSQL');
  await database.close();
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  const run = (text: string) => admin.query(text);
  const reopen = async (role?: string) => {
    const url = new URL(databaseUrl);
    if (role !== undefined) [url.username, url.password] = [role, 'limited'];
    const dropAll = async () => {
      if (role !== undefined) await run(`drop owned by ${role}; drop role ${role}`);
      await admin.end();
      await drop();
    };
    return { database: await openPostgres(url.href), databaseUrl, dataDirectory, drop: dropAll };
  };
  return { opened: { name: new URL(databaseUrl).pathname.slice(1), reopen }, run };
}

/** Returns the checks that are not ok. */
const problemsOf = ({ body }: TestResponse): string[] =>
  (body.checks as HealthCheck[])
    .filter(({ status }) => status !== 'ok')
    .map(({ name, detail }) => `${name}: ${detail}`);

/** Returns the failed checks of a server that is not ready, the first of which is the detail of the problem. */
async function failureOf(server: TestServer): Promise<string[]> {
  const response = await server.call('GET /api/health/ready');
  assert.deepEqual(problemOf(response), unavailable);
  const failed = (response.body.checks as HealthCheck[]).filter(({ status }) => status === 'failed');
  assert.equal(response.body.detail, failed[0]?.detail);
  return failed.map(({ name, detail }) => `${name}: ${detail}`);
}
