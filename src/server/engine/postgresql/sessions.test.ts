import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine, type QueryEngine } from '../query-engine.ts';
import type { QueryLimits } from '../limits.ts';
import type { PostgresqlSource } from './description.ts';

const sandbox = await testSandbox();

/** One worker, so that queries share one connection if that is allowed. */
const oneWorker = { maxWorkersPerOrganization: 1, graceMs: 20_000 };

function open(context: TestContext, limits: Partial<QueryLimits> = {}): QueryEngine {
  const engine = createQueryEngine({ sandbox, limits: { ...oneWorker, ...limits } });
  context.after(() => engine.close());
  return engine;
}

async function run(engine: QueryEngine, source: PostgresqlSource, sql: string): Promise<string> {
  const { rowsJson } = await engine.run({ organizationId: 'one', source, sql });
  return Buffer.from(rowsJson).toString();
}

/** A TCP proxy that can hold back what clients send on new connections. */
async function startGate(context: TestContext, port: number) {
  const held: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let isShut = false;
  const gate = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
    }
    server.pipe(client);
    if (isShut) held.push(() => client.pipe(server));
    else client.pipe(server);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    gate.close();
  });
  return {
    port: (gate.address() as AddressInfo).port,
    shut: () => (isShut = true),
    heldCount: () => held.length,
    open: () => {
      isShut = false;
      for (const pass of held.splice(0)) pass();
    },
  };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline && !(await condition())) await delay(5);
}

describe('a query that is cancelled', () => {
  it('does not stop the next one when its cancel request arrives late', async (context) => {
    const { source, admin } = await makePostgresqlSource(context);
    const gate = await startGate(context, source.port);
    const engine = open(context);
    const gated = { ...source, port: gate.port };
    await run(engine, gated, 'SELECT 1');
    gate.shut();
    const leaving = new AbortController();
    const sql = 'SELECT pg_sleep(2)';
    const first = engine.run({ organizationId: 'one', source: gated, sql }, { signal: leaving.signal });
    const rejected = assert.rejects(first, { code: 'cancelled' });
    const isActive = async (slept: string) => {
      const { rows } = await admin.query(
        "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(' || $1 || ')'",
        [slept],
      );
      return rows.length > 0;
    };
    await until(() => isActive('2'));
    leaving.abort();
    await until(() => gate.heldCount() > 0);
    const next = run(engine, gated, "SELECT 'slept' FROM pg_sleep(1)");
    await until(async () => !(await isActive('2')));
    // The next query must not start before the request is handled. It would have the time to do so.
    await Promise.race([until(() => isActive('1')), delay(200)]);
    gate.open();
    await rejected;
    assert.equal(await next, '[["slept"]]');
  });

  it('stops no other query, whenever it is cancelled', async (context) => {
    const { source } = await makePostgresqlSource(context);
    const engine = open(context);
    for (let round = 0; round < 20; round += 1) {
      const leaving = new AbortController();
      const sql = 'SELECT pg_sleep(0.02)';
      const first = engine
        .run({ organizationId: 'one', source, sql }, { signal: leaving.signal })
        .catch(() => undefined);
      setTimeout(() => leaving.abort(), 10 + (round % 20));
      await first;
      assert.equal(await run(engine, source, "SELECT 'slept' FROM pg_sleep(0.05)"), '[["slept"]]');
    }
  });
});

describe('a connection that dblink has opened', () => {
  it('is not available to the next query', async (context) => {
    const { source, admin } = await makePostgresqlSource(context, 'CREATE EXTENSION dblink');
    const engine = open(context);
    const { rows } = await admin.query<{ port: string }>("SELECT current_setting('port') AS port");
    const target = `host=127.0.0.1 port=${rows[0]?.port} dbname=${source.database} user=${source.user} password=${source.password}`;
    const connectTo = (name: string) => `SELECT dblink_connect(${name}'${target}')`;
    assert.equal(await run(engine, source, connectTo("'mine', ")), '[["OK"]]');
    assert.equal(await run(engine, source, 'SELECT dblink_get_connections()'), '[[null]]');
    // The unnamed connection is not in the list.
    assert.equal(await run(engine, source, connectTo('')), '[["OK"]]');
    await assert.rejects(run(engine, source, "SELECT * FROM dblink('SELECT 1') AS t (a int)"), {
      message: 'connection not available',
    });
  });
});

describe('connections to a PostgreSQL source', () => {
  it('are reused', async (context) => {
    const { source } = await makePostgresqlSource(context);
    const engine = open(context);
    const sql = 'SELECT pg_backend_pid()';
    assert.equal(await run(engine, source, sql), await run(engine, source, sql));
  });
});
