import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { until } from '../../../../tests/support/server/server-process.ts';
import { startPostgres } from '../../../../tests/support/storage/postgres.ts';
import type { Reader } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { prepare } from '../prepared-query.ts';

const isStandby = prepare((db) => ({
  compile: () => sql<{ isStandby: boolean }>`select pg_is_in_recovery() as "isStandby"`.compile(db),
}));
const insert = prepare((db, p: { text: string }) =>
  db.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const find = prepare((db, p: { text: string }) =>
  db.selectFrom('set_up_links').select('token_hash as text').where('token_hash', '=', p.text),
);

describe('a read replica', () => {
  test('is read when it has caught up, so that every write is visible, and otherwise the primary is', async (context) => {
    const { databaseUrl, standby, admin } = await startCluster(context);
    await (await openDatabase({ databaseUrl, dataDirectory: '' })).close();
    await untilSchemaIsOn(admin);
    const database = await openDatabase({ databaseUrl, databaseReadUrl: standby.url, dataDirectory: '' });
    context.after(() => database.close());
    const readsStandby = async (reader: Reader) => (await reader.first(isStandby, {}))?.isStandby;
    const writeAndRead = async (text: string): Promise<boolean | undefined> => {
      await database.write((transaction) => transaction.run(insert, { text }));
      const reader = await database.findReader();
      assert.deepEqual(await reader.all(find, { text }), [{ text }]);
      return readsStandby(reader);
    };
    let count = 0;
    let standbyCount = 0;
    await until('the standby was read 20 times', async () => {
      count += 1;
      if (await writeAndRead(`write ${count}`)) standbyCount += 1;
      return standbyCount === 20 || undefined;
    });
    assert.equal(await readsStandby(database), false);

    await admin.query('select pg_wal_replay_pause()');
    await until('it is paused', async () => {
      const { rows } = await admin.query('select pg_get_wal_replay_pause_state() as state');
      return rows[0].state === 'paused' || undefined;
    });
    assert.equal(await writeAndRead('paused'), false);
    await admin.query('select pg_wal_replay_resume()');
    await until(
      'the standby is read again',
      async () => (await readsStandby(await database.findReader())) || undefined,
    );

    const mistaken = await openDatabase({ databaseUrl, databaseReadUrl: databaseUrl, dataDirectory: '' });
    context.after(() => mistaken.close());
    assert.equal(await readsStandby(await mistaken.findReader()), false);

    const reader = await database.findReader();
    await admin.end();
    await standby.stop();
    const startedAt = performance.now();
    assert.deepEqual(await reader.all(find, { text: 'paused' }), [{ text: 'paused' }]);
    for (let index = 0; index < 20; index += 1)
      assert.equal(await readsStandby(await database.findReader()), false);
    assert.ok(performance.now() - startedAt < 5_000);
  });

  test('is read on no connection to a server that is late', async (context) => {
    const { databaseUrl, standby, admin, startStandby } = await startCluster(context);
    await (await openDatabase({ databaseUrl, dataDirectory: '' })).close();
    const late = await startStandby();
    await untilSchemaIsOn(admin);
    await untilSchemaIsOn(late.admin);
    await late.admin.query('select pg_wal_replay_pause()');
    const balancer = await startBalancer(context, [standby.url, late.standby.url]);
    /** Returns how many of 20 readers read a standby. */
    const readAfterWrites = async (): Promise<number> => {
      const database = await openDatabase({ databaseUrl, databaseReadUrl: balancer.url, dataDirectory: '' });
      let standbyCount = 0;
      for (let count = 0; count < 20; count += 1) {
        const text = `write ${performance.now()}`;
        await database.write((transaction) => transaction.run(insert, { text }));
        const reader = await database.findReader();
        // At the same time, so that they need several connections.
        const found = await Promise.all(Array.from({ length: 4 }, () => reader.all(find, { text })));
        for (const rows of found) assert.deepEqual(rows, [{ text }]);
        if ((await reader.first(isStandby, {}))?.isStandby === true) standbyCount += 1;
      }
      await database.close();
      return standbyCount;
    };
    // A database whose idle connections all lead to the late standby reads only the primary.
    let standbyCount = 0;
    for (let round = 0; round < 20 && standbyCount === 0; round += 1) standbyCount = await readAfterWrites();
    assert.ok(balancer.connectionCount() > 1);
    assert.ok(standbyCount > 0);
  });
});

/** Starts what spreads connections over servers, as the load balancers of hosted databases do. */
async function startBalancer(context: TestContext, urls: readonly [string, ...string[]]) {
  let count = 0;
  const server = createServer((client) => {
    const { hostname, port } = new URL(urls[count % urls.length] ?? urls[0]);
    count += 1;
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const url = new URL(urls[0]);
  // Sound because it listens on a port.
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, connectionCount: () => count };
}

const untilSchemaIsOn = (admin: pg.Client) =>
  until('the schema is on the standby', async () => {
    const { rows } = await admin.query("select to_regclass('limited_attempts') is not null as exists");
    return rows[0].exists || undefined;
  });

async function startCluster(context: TestContext) {
  const postgres = await startPostgres({ durable: false });
  context.after(() => postgres.stop());
  async function startStandby() {
    const standby = await postgres.startStandby();
    context.after(() => standby.stop());
    // Commits don't wait for the standby, so that it can be late.
    const primary = new pg.Client({ connectionString: postgres.url });
    await primary.connect();
    await primary.query("alter system set synchronous_standby_names = ''");
    await primary.query('select pg_reload_conf()');
    await primary.end();
    const admin = new pg.Client({ connectionString: standby.url });
    await admin.connect();
    admin.on('error', () => {});
    return { standby, admin };
  }

  return { databaseUrl: postgres.url, startStandby, ...(await startStandby()) };
}
