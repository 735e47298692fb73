import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import { atEndOf } from '../../../../tests/support/endings.ts';
import { startFaultProxy, type FaultProxy } from '../../../../tests/support/network/fault-proxy.ts';
import { createPostgresDatabase } from '../../../../tests/support/storage/postgres.ts';
import { until } from '../../../../tests/support/server/server-process.ts';
import type { Database } from '../database.ts';
import { migrate } from '../migrations/migrations.ts';
import type { Deadlines } from './connections.ts';
import { openPostgres } from './postgres.ts';
import { prepare } from '../prepared-query.ts';

const insert = prepare((sql, p: { text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const all = prepare((sql) =>
  sql.selectFrom('set_up_links').select('token_hash as text').orderBy('token_hash'),
);
const lock = prepare((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').select('token_hash').where('token_hash', '=', p.text).forUpdate(),
);

/**
 * Short, so that the tests are fast, but long enough for thirty new connections on a busy machine. A request is limited by the
 * waits for a connection and for a response.
 */
const deadlines: Deadlines = {
  connectMs: 4_000,
  responseMs: 4_000,
  readMs: 2_000,
  lockMs: 1_000,
  idleInTransactionMs: 10_000,
  heartbeatMs: 100,
};
/** More than the sum of both, for a busy machine. */
const boundMs = 16_000;

describe('PostgreSQL', () => {
  test('responds to every request in time after a silent partition, and uses new connections for later ones', async (context) => {
    const { database, proxy } = await open(context);
    // The maximum number of connections, all of them idle.
    await Promise.all(Array.from({ length: 30 }, (_, index) => write(database, `${index}`)));
    await Promise.all(Array.from({ length: 30 }, () => database.all(all, {})));
    await database.check();
    proxy.partition();
    const requests = [
      ...Array.from({ length: 25 }, () => database.all(all, {})),
      ...Array.from({ length: 25 }, (_, index) => write(database, `later ${index}`)),
    ];
    const began = performance.now();
    const outcomes = await Promise.allSettled(requests);
    const tookMs = performance.now() - began;
    assert.ok(tookMs < boundMs, `${tookMs} ms`);
    const codes = new Set(outcomes.map((outcome) => codeOf(outcome)));
    assert.ok(codes.isSubsetOf(new Set(['stored', 'unavailable'])), [...codes].join());
    assert.ok(codes.has('unavailable'));
    // None of the idle connections is used again.
    const later = await Promise.allSettled([
      ...Array.from({ length: 25 }, () => database.all(all, {})),
      ...Array.from({ length: 25 }, (_, index) => write(database, `after ${index}`)),
      database.check(),
    ]);
    assert.deepEqual(later.map(codeOf), Array(51).fill('stored'));
  });

  test('reads and checks while many writes wait for a row that another session has locked', async (context) => {
    const { database, url } = await open(context);
    await write(database, 'row');
    const other = await connect(context, url);
    await other.query('begin');
    await other.query("select * from set_up_links where token_hash = 'row' for update");
    const openAll = Array.from({ length: 14 }, () =>
      database.write((transaction) => transaction.execute('select pg_sleep(0.2)')),
    );
    await Promise.all(openAll);
    const waiting = Promise.allSettled(
      Array.from({ length: 25 }, () =>
        database.write((transaction) => transaction.first(lock, { text: 'row' })),
      ),
    );
    await untilWaiting(other, openAll.length);
    const began = performance.now();
    assert.equal((await database.all(all, {})).length, 1);
    assert.deepEqual(await database.check(), []);
    const outcomes = await waiting;
    assert.ok(performance.now() - began < boundMs);
    assert.deepEqual(outcomes.map(codeOf), Array(25).fill('unavailable'));
    await other.query('commit');
    await write(database, 'after');
  });

  test('reports that it is read-only, and notices when it no longer is', async (context) => {
    const { database, url } = await open(context);
    const name = new URL(url).pathname.slice(1);
    const other = await connect(context, url);
    const events: string[] = [];
    database.onFault({
      began: ({ code }) => events.push(`${code} began`),
      ended: ({ code }) => events.push(`${code} ended`),
    });
    await write(database, 'before');
    await other.query(`alter database ${name} set default_transaction_read_only = on`);
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> ' +
        'pg_backend_pid()',
    );
    const code = await until('a write is refused', async () => {
      const [outcome] = await Promise.allSettled([write(database, `${performance.now()}`)]);
      return codeOf(outcome) === 'stored' ? undefined : codeOf(outcome);
    });
    assert.equal(code, 'unavailable');
    await until(
      'the check finds it',
      async () => (await database.check())[0]?.code === 'read_only' || undefined,
    );
    assert.equal((await database.all(all, {}))[0]?.text, 'before');
    await other.query(`begin read write`);
    await other.query(`alter database ${name} reset default_transaction_read_only`);
    await other.query('commit');
    await until('the fault is over', async () => (await database.check()).length === 0 || undefined);
    await write(database, 'after');
    assert.deepEqual(events, ['read_only began', 'read_only ended']);
  });

  test('receives announcements again after a silent partition', async (context) => {
    const { database, proxy, url } = await open(context);
    const heard = new Set<string>();
    const failures: unknown[] = [];
    database.onAnnounced({ announced: (id) => heard.add(id), failed: (error) => failures.push(error) });
    const other = await connect(context, url);
    const reaches = (id: string) =>
      until(`${id} is heard`, async () => {
        await other.query("select pg_notify('atrium', $1)", [id]);
        return heard.has(id) || undefined;
      });
    await reaches('before');
    proxy.partition();
    await reaches('after');
    assert.equal(failures.length, 1);
  });

  test('has no deadline for work that may take long', async (context) => {
    const { database } = await open(context);
    const sleep = (write: Database['write']) =>
      write((transaction) => transaction.execute('select pg_sleep(4.2)'));
    const outcomes = await Promise.allSettled([sleep(database.writeSlowly), sleep(database.write)]);
    assert.deepEqual(outcomes.map(codeOf), ['stored', 'unavailable']);
  });
});

const write = (database: Database, text: string): Promise<number> =>
  database.write((transaction) => transaction.run(insert, { text }));

/** Returns the code that a request failed with, or `stored`. */
const codeOf = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === 'fulfilled' ? 'stored' : String(outcome.reason?.code ?? outcome.reason);

/** Opens a database with short deadlines, behind a network that can fail; `url` bypasses it. */
async function open(context: TestContext): Promise<{ database: Database; proxy: FaultProxy; url: string }> {
  const { url, drop } = await createPostgresDatabase();
  atEndOf(context, drop);
  const address = new URL(url);
  const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
  atEndOf(context, () => proxy.close());
  address.port = String(proxy.port);
  const database = await openPostgres(address.href, { deadlines, checkEveryMs: 50 });
  atEndOf(context, () => database.close());
  await migrate(database);
  return { database, proxy, url };
}

async function connect(context: TestContext, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  atEndOf(context, () => client.end());
  return client;
}

/** Returns once this many sessions wait for a lock in this database. */
async function untilWaiting(client: pg.Client, count: number): Promise<void> {
  await until(`${count} wait`, async () => {
    const { rowCount } = await client.query(
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return rowCount === count || undefined;
  });
}
