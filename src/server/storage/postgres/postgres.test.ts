import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import { openLossyDatabase } from '../../../../tests/support/storage/lossy-database.ts';
import { createPostgresDatabase, startPostgres } from '../../../../tests/support/storage/postgres.ts';
import { until } from '../../../../tests/support/server/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../../../../tests/support/server/test-server.ts';
import { AtriumError, mayBeStored, StartError } from '../../base/errors.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { prepare } from '../prepared-query.ts';
import { requestDeadlines } from './connections.ts';
import { openPostgres } from './postgres.ts';

const insert = prepare((sql, p: { text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const all = prepare((sql) =>
  sql.selectFrom('set_up_links').select(['token_hash as text', 'expires_at as mark']).orderBy('token_hash'),
);
const lock = prepare((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').select('token_hash').where('token_hash', '=', p.text).forUpdate(),
);
const mark = prepare((sql, p: { text: string; mark: string }) =>
  sql.updateTable('set_up_links').set({ expires_at: p.mark }).where('token_hash', '=', p.text),
);

describe('PostgreSQL', () => {
  test('repeats a write that was ended by a deadlock', async (context) => {
    const database = await open(context);
    await database.write(async (transaction) => {
      for (const text of ['one', 'other']) await transaction.run(insert, { text });
    });
    const bothHold = barrier(2);
    let runs = 0;
    const lockCrosswise = (first: string, second: string) =>
      database.write(async (transaction) => {
        runs += 1;
        await transaction.execute("set local deadlock_timeout = '20ms'");
        await transaction.first(lock, { text: first });
        await bothHold();
        await transaction.first(lock, { text: second });
        await transaction.run(mark, { text: first, mark: `by the first of ${first}` });
      });
    await Promise.all([lockCrosswise('one', 'other'), lockCrosswise('other', 'one')]);
    assert.deepEqual(await database.all(all, {}), [
      { text: 'one', mark: 'by the first of one' },
      { text: 'other', mark: 'by the first of other' },
    ]);
    assert.ok(runs > 2, 'there was no deadlock');
  });

  test('repeats a write that could not be serialized, even at its commit', async (context) => {
    const database = await open(context);
    const bothHaveRead = barrier(2);
    let runs = 0;
    const addCount = () =>
      database.write(async (transaction) => {
        runs += 1;
        await transaction.execute('set transaction isolation level serializable');
        const count = (await transaction.all(all, {})).length;
        await bothHaveRead();
        await transaction.run(insert, { text: `${count} before` });
        return count;
      });
    // Each of the two would insert the same text if it did not read what the other one has written.
    const counts = await Promise.all([addCount(), addCount()]);
    assert.deepEqual(
      counts.toSorted((left, right) => left - right),
      [0, 1],
    );
    assert.ok(runs > 2, 'both were serialized at once');
  });

  test('rejects a write that can’t be serialized for longer than it would wait for a lock', async (context) => {
    const { databaseUrl = '', database: migrated } = await openPlace(context);
    const database = await openPostgres(databaseUrl, { deadlines: { ...requestDeadlines, lockMs: 100 } });
    context.after(() => database.close());
    let runs = 0;
    const startedAt = performance.now();
    const failing = database.write(async (transaction) => {
      runs += 1;
      await transaction.run(insert, { text: `run ${runs}` });
      await transaction.execute("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    });
    await assert.rejects(failing, { code: 'unavailable' });
    assert.ok(performance.now() - startedAt > 100);
    assert.ok(runs >= 10, `${runs}`);
    assert.deepEqual(await migrated.all(all, {}), []);
  });

  test('does not repeat a write that fails for another reason', async (context) => {
    const database = await open(context);
    let runs = 0;
    const failing = database.write(async (transaction) => {
      runs += 1;
      await transaction.run(insert, { text: 'a' });
      await transaction.run(insert, { text: 'a' });
    });
    await assert.rejects(failing, { code: '23505' });
    assert.equal(runs, 1);
  });

  test('is unavailable while the server is down, and recovers with it', async (context) => {
    const server = await startPostgres({ durable: true });
    const database = await openDatabase({ databaseUrl: server.url, dataDirectory: '' });
    context.after(async () => {
      await database.close();
      await server.stop();
    });
    const write = (text: string) => database.write((transaction) => transaction.run(insert, { text }));
    await write('before');

    const killed = Promise.withResolvers<void>();
    const hasBegun = Promise.withResolvers<void>();
    const underWay = database.write(async (transaction) => {
      await transaction.run(insert, { text: 'under way' });
      hasBegun.resolve();
      await killed.promise;
      await transaction.run(insert, { text: 'too late' });
    });
    await hasBegun.promise;
    const sleeping = database.write((transaction) => transaction.execute('select pg_sleep(60)'));
    await untilAsleep(server.url);
    const [first, second] = [codeOf(underWay), codeOf(sleeping)];
    process.kill(server.processId, 'SIGKILL');
    assert.equal(await second, 'unavailable');
    // A session that has not noticed yet may still work; writes that it acknowledges count.
    const acknowledged = ['before'];
    const refusals = [
      await firstRefusal(() => database.check()),
      await firstRefusal(() => textsOf(database)),
      await firstRefusal(async () => {
        const text = `gone ${acknowledged.length}`;
        await write(text);
        acknowledged.push(text);
      }),
    ];
    assert.deepEqual(refusals, ['unavailable', 'unavailable', 'unavailable']);

    await server.restart();
    killed.resolve();
    assert.equal(await first, 'unavailable');
    assert.deepEqual(await database.check(), []);
    const texts = Array.from({ length: 30 }, (_, index) => `after ${index}`);
    await Promise.all(texts.map(write));
    assert.deepEqual(await textsOf(database), [...acknowledged, ...texts].toSorted());
  });

  test('reports that a commit may be stored if its response was lost, and does not repeat it', async (context) => {
    const { database, drop, loseNextCommit } = await openLossyDatabase(context);
    context.after(async () => {
      await database.close();
      await drop();
    });
    let runs = 0;
    const lost = loseNextCommit();
    const error: unknown = await database
      .write(async (transaction) => {
        runs += 1;
        await transaction.run(insert, { text: `run ${runs}` });
      })
      .catch((reason: unknown) => reason);
    await lost;
    assert.ok(mayBeStored(error), String(error));
    assert.deepEqual(await textsOf(database), ['run 1']);
    assert.equal(runs, 1);

    const cut: unknown = await database
      .write((transaction) => transaction.execute('select pg_terminate_backend(pg_backend_pid())'))
      .catch((reason: unknown) => reason);
    assert.ok(cut instanceof AtriumError && cut.code === 'unavailable' && !mayBeStored(cut), String(cut));
  });

  test('prevents the start if it does not respond or commits before data is on disk, without showing the password', async (context) => {
    const { url, drop } = await createPostgresDatabase();
    context.after(drop);
    const reasonOf = async (databaseUrl: string) => {
      const error: unknown = await openDatabase({ databaseUrl, dataDirectory: '' }).then(
        (database) => database.close(),
        (error: unknown) => error,
      );
      assert.ok(error instanceof StartError, String(error));
      return error.message;
    };
    const wrong = new URL(url);
    wrong.password = 'canary-91c3b';
    assert.match(await reasonOf(wrong.href), /^DATABASE_URL: The database does not respond: (?!.*canary)/);
    wrong.port = '1';
    assert.match(await reasonOf(wrong.href), /^DATABASE_URL: The database does not respond: (?!.*canary)/);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
    await client.end();
    assert.match(await reasonOf(url), /^DATABASE_URL: .* Set its synchronous_commit to on\.$/);
  });
});

async function openPlace(context: TestContext): Promise<TestDatabase> {
  const opened = await openTestDatabase('PostgreSQL');
  context.after(async () => {
    await opened.database.close();
    await opened.drop();
  });
  return opened;
}

const open = async (context: TestContext): Promise<Database> => (await openPlace(context)).database;

const textsOf = async (database: Database): Promise<string[]> =>
  (await database.all(all, {})).map(({ text }) => text);

/** Returns the code that `work` fails with. */
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof AtriumError ? error.code : String(error)),
  );

/** Repeats `work`; returns the code that it finally fails with. */
const firstRefusal = (work: () => Promise<unknown>): Promise<string> =>
  until('the server is gone', async () => {
    const code = await codeOf(work());
    return code === 'none' ? undefined : code;
  });

/** Returns a function whose first `count` callers wait for each other; later callers don't wait. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === count) resolve();
    return promise;
  };
}

/** Waits until a statement sleeps on the server. */
async function untilAsleep(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await until('a statement sleeps', async () => {
      const { rowCount } = await client.query("select 1 from pg_stat_activity where wait_event = 'PgSleep'");
      return rowCount === 1 || undefined;
    });
  } finally {
    await client.end();
  }
}
