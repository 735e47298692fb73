import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { editAtOnce } from '../support/dashboards/concurrent-edits.ts';
import { roundsOr } from '../support/rounds.ts';
import { chosenSeed } from '../support/seeded-random.ts';
import {
  failureOf,
  freshPlace,
  ownerSettings,
  runCommandLine,
  runServerToEnd,
  send,
  signInOwner,
  startServerProcess,
  type Environment,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

describe('two servers started at once on one empty PostgreSQL', () => {
  test('both start, migrate and create the owner once, serve the same data, and count failed sign-ins together', async (context) => {
    const environment = { ...(await freshPlace(context, 'PostgreSQL')), ...ownerSettings };
    const [one, other] = await Promise.all([
      startServerProcess(context, { environment }),
      startServerProcess(context, { environment }),
    ]);
    const counts = await query(
      environment,
      `select (select count(*) from schema_version) as versions, (select count(*) from users) as users,
        (select count(*) from organizations) as organizations, (select count(*) from members) as members`,
    );
    assert.deepEqual(counts, [{ versions: '1', users: '1', organizations: '1', members: '1' }]);

    const account = await signInOwner(one);
    const { organizationId } = account;
    const atOther = { ...account, url: other.url };
    const created = await send(account, 'POST /api/dashboards', { body: { name: 'Sales', organizationId } });
    assert.equal(created.status, 201);
    const read = await send(atOther, `GET /api/dashboards/${created.body.id}`);
    assert.deepEqual({ status: read.status, body: read.body }, { status: 200, body: created.body });
    assert.equal((await send(atOther, 'POST /api/auth/sign-out')).status, 200);
    assert.equal((await send(account, 'GET /api/auth/get-session')).status, 401);

    const attempts = Array.from({ length: 14 }, (_, index) => ({
      url: [one, other][index % 2]?.url ?? '',
      body: { email: ownerSettings.ATRIUM_OWNER_EMAIL, password: `a wrong password ${index}` },
    }));
    const statuses = await Promise.all(
      attempts.map(
        async ({ url, body }) => (await send({ url }, 'POST /api/auth/sign-in/email', { body })).status,
      ),
    );
    const statusCounts = [401, 429].map((status) => statuses.filter((each) => each === status).length);
    assert.deepEqual(statusCounts, [10, 4]);
  });
});

describe('one dashboard that 20 clients edit at once at two servers', () => {
  test('is the result of its acknowledged edits', async (context) => {
    const environment = { ...(await freshPlace(context, 'PostgreSQL')), ...ownerSettings };
    const servers = [
      await startServerProcess(context, { environment }),
      await startServerProcess(context, { environment }),
    ];
    const account = await signInOwner(servers[0] ?? assert.fail());
    const { body } = await send(account, 'POST /api/dashboards', {
      body: { name: 'Sales', organizationId: account.organizationId },
    });
    const agent = new Agent({ keepAlive: true });
    context.after(() => agent.destroy());
    const edits = roundsOr(600);
    const { merged } = await editAtOnce(
      (client, line, options) =>
        send({ ...account, url: servers[client % 2]?.url ?? '' }, line, { ...options, agent }),
      { path: `/api/dashboards/${body.id}`, clients: 20, edits, seed: chosenSeed() },
    );
    assert.ok(merged > edits / 4, `${merged} merged`);
  });
});

describeOnUsualEngine('a database that a newer, incompatible program has migrated', (engine) => {
  test('prevents the start of the server and of a command, and is not changed', async (context) => {
    const environment = await freshPlace(context, engine);
    const server = await startServerProcess(context, { environment });
    await server.end('SIGTERM');
    await query(environment, 'update schema_version set version = 99, required_version = 98');

    const message = /its schema has version 99, and this program knows versions up to \d+\./;
    const start = await runServerToEnd(context, { environment });
    assert.deepEqual([start.code, start.errorOutput], [1, '']);
    assert.match(failureOf(start.output), message);
    const command = await runCommandLine(context, ['secrets', 'rotate'], { environment });
    assert.deepEqual({ code: command.code, output: command.output }, { code: 1, output: '' });
    assert.match(command.errorOutput, message);
    assert.equal(
      (await query(environment, 'select version from schema_version where version = 99')).length,
      1,
    );
  });
});

/** Runs a query on the database directly. */
async function query(environment: Environment, sql: string): Promise<unknown[]> {
  const { DATABASE_URL: connectionString, ATRIUM_DATA_DIR: directory = '' } = environment;
  if (connectionString === undefined) {
    const database = new DatabaseSync(join(directory, 'atrium.sqlite'));
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
