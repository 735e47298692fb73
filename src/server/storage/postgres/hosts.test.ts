import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { startFaultProxy, type FaultProxy } from '../../../../tests/support/network/fault-proxy.ts';
import { until } from '../../../../tests/support/server/server-process.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../../../tests/support/storage/postgres.ts';
import { AtriumError, StartError } from '../../base/errors.ts';
import type { Database } from '../database.ts';
import { prepare } from '../prepared-query.ts';
import { requestDeadlines } from './connections.ts';
import { openPostgres } from './postgres.ts';

const one = prepare((db) => ({ compile: () => sql<{ one: number }>`select 1 as one`.compile(db) }));

describe('several hosts in DATABASE_URL', () => {
  test('are tried in order, and the first that accepts writes is used, even if an earlier one is silent', async (context) => {
    const { url, proxies, open } = await openPlace(context, 3);
    const [silent, closed, working] = proxies;
    silent?.partition({ includingNew: true });
    await closed?.close();
    const startedAt = performance.now();
    const database = await open(url);
    await write(database);
    assert.ok(performance.now() - startedAt < requestDeadlines.connectMs, 'the silent host was waited for');
    assert.ok((working?.connectionCount() ?? 0) > 0);
  });

  test('change when the one in use goes silent, and stay changed when it comes back', async (context) => {
    const { url, proxies, open } = await openPlace(context, 2);
    const [first, other] = proxies;
    const database = await open(url);
    await write(database);
    assert.equal(other?.connectionCount(), 0);
    first?.partition({ includingNew: true });
    await assert.rejects(write(database), { code: 'unavailable' });
    await write(database);
    first?.heal();
    await write(database);
    await database.check();
    assert.deepEqual(await database.all(one, {}), [{ one: 1 }]);
    assert.ok((other?.connectionCount() ?? 0) >= 3);
  });

  test('are unavailable together while all are read-only, and used again afterwards', async (context) => {
    const { url, place, open } = await openPlace(context, 2);
    const database = await open(url);
    const admin = await open(place.url);
    const name = new URL(place.url).pathname.slice(1);
    const setReadOnly = (isReadOnly: boolean) =>
      admin.write(async (transaction) => {
        await transaction.execute('set transaction read write');
        await transaction.execute(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`);
      });
    await setReadOnly(true);
    await database
      .write((transaction) =>
        transaction.execute(
          'select pg_terminate_backend(pid) from pg_stat_activity ' +
            'where datname = current_database() and pid <> pg_backend_pid()',
        ),
      )
      .catch(() => {});
    for (const attempt of [() => write(database), () => write(database), () => database.all(one, {})]) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      assert.ok(error instanceof AtriumError && error.code === 'unavailable', String(error));
      assert.doesNotMatch(error.message, /127\.0\.0\.1/, 'the message is public');
    }
    await assert.rejects(open(url), (error) => {
      assert.ok(error instanceof StartError);
      return /127\.0\.0\.1:\d+: It is read-only\./.test(error.message);
    });
    await setReadOnly(false);
    await until('writes work again', () =>
      write(database).then(
        () => true,
        () => undefined,
      ),
    );
  });
});

const write = (database: Database): Promise<void> =>
  database.write((transaction) => transaction.execute('create table if not exists probe (id integer)'));

interface Place {
  readonly place: PostgresDatabase;
  /** Has the address of every proxy. */
  readonly url: string;
  readonly proxies: readonly FaultProxy[];
  open(url: string): Promise<Database>;
}

/** Creates a database that is reached through several proxies. */
async function openPlace(context: TestContext, proxyCount: number): Promise<Place> {
  const place = await createPostgresDatabase();
  context.after(place.drop);
  const { host, hostname, port } = new URL(place.url);
  const proxies: FaultProxy[] = [];
  for (let index = 0; index < proxyCount; index += 1) {
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    context.after(() => proxy.close());
    proxies.push(proxy);
  }
  const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(',');
  return {
    place,
    url: place.url.replace(host, hosts),
    proxies,
    open: async (url) => {
      const database = await openPostgres(url, { deadlines: { ...requestDeadlines, responseMs: 2_000 } });
      context.after(() => database.close());
      return database;
    },
  };
}
