import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { damagePage } from '../../../../tests/support/storage/damaged-page.ts';
import { atEndOf } from '../../../../tests/support/endings.ts';
import { until } from '../../../../tests/support/server/server-process.ts';
import { openTestDatabase } from '../../../../tests/support/server/test-server.ts';
import type { Database } from '../database.ts';
import { prepare } from '../prepared-query.ts';
import { openSqlite } from './sqlite.ts';

const insert = prepare((sql, p: { key: string; text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.key, expires_at: p.text }),
);
const all = prepare((sql) =>
  sql.selectFrom('set_up_links').select('expires_at as text').orderBy('token_hash'),
);
const version = prepare((sql) => sql.selectFrom('schema_version').selectAll());

const write = (database: Database, text: string): Promise<number> =>
  database.write((transaction) => transaction.run(insert, { key: text.slice(0, 10), text }));
const textsOf = async (database: Database): Promise<string[]> =>
  (await database.all(all, {})).map(({ text }) => text);
const unavailable = { code: 'unavailable' };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the embedded database', () => {
  test('keeps working with a page that it cannot read, and reports it once', async (context) => {
    const { database, outsider, events } = await open(context);
    const long = 'x'.repeat(50_000);
    await write(database, long);
    const restore = damagePage(outsider, "name = 'set_up_links' and pagetype = 'overflow'");
    for (let visit = 0; visit < 3; visit += 1) {
      await assert.rejects(database.all(all, {}), unavailable);
      await turn();
      assert.equal((await database.all(version, {})).length, 1);
    }
    await write(database, 'beside');
    assert.deepEqual(
      (await database.check()).map(({ code }) => code),
      ['unreadable'],
    );
    assert.deepEqual(events, ['unreadable began']);
    restore();
    // After a commit, the reader reads its cached pages from the file again.
    await write(database, 'later');
    await until('the fault is over', async () => (await database.check()).length === 0 || undefined);
    assert.deepEqual(events, ['unreadable began', 'unreadable ended']);
    assert.deepEqual(await textsOf(database), ['beside', 'later', long]);
  });

  test('rejects a write that needs a page that it cannot read, and keeps working', async (context) => {
    const { database, outsider, events } = await open(context);
    await write(database, 'x'.repeat(50_000));
    damagePage(outsider, "name = 'set_up_links' and pagetype in ('leaf', 'internal')");
    for (let visit = 0; visit < 2; visit += 1) await assert.rejects(write(database, 'there'), unavailable);
    await database.write((transaction) => transaction.execute('create table beside (id integer)'));
    assert.deepEqual(events, ['unreadable began']);
  });

  test('reads while writes fail, and notices when they work again', async (context) => {
    const { database, events } = await open(context);
    await write(database, 'before');
    const limitPages = (limit: number) =>
      database.write((transaction) => transaction.execute(`pragma max_page_count = ${limit}`));
    await limitPages(1);
    const long = 'x'.repeat(100_000);
    for (let visit = 0; visit < 3; visit += 1) await assert.rejects(write(database, long), unavailable);
    assert.deepEqual(await textsOf(database), ['before']);
    assert.deepEqual(
      (await database.check()).map(({ code }) => code),
      ['not_writable'],
    );
    await limitPages(1_000_000);
    await until('the fault is over', async () => (await database.check()).length === 0 || undefined);
    assert.deepEqual(events, ['not_writable began', 'not_writable ended']);
  });

  test('waits for another program’s lock without blocking anything else', async (context) => {
    const { database, outsider } = await open(context, { lockWaitMs: 60_000 });
    outsider.exec('begin immediate');
    const began = performance.now();
    const writing = write(database, 'waited');
    let turns = 0;
    // Waiting inside SQLite would block all of these turns until its own time limit.
    while (turns < 20) {
      await delay(5);
      assert.deepEqual(await textsOf(database), []);
      turns += 1;
    }
    assert.ok(performance.now() - began < 10_000, `${performance.now() - began} ms`);
    outsider.exec('commit');
    await writing;
    assert.deepEqual(await textsOf(database), ['waited']);
  });

  test('rejects a write if another program holds the lock for too long, and stores nothing', async (context) => {
    const { database, outsider } = await open(context, { lockWaitMs: 50 });
    outsider.exec('begin immediate');
    const writes = ['one', 'other'].map((text) => write(database, text));
    for (const outcome of await Promise.allSettled(writes)) {
      assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'unavailable');
    }
    outsider.exec('commit');
    assert.deepEqual(await textsOf(database), []);
    await write(database, 'after');
    assert.deepEqual(await textsOf(database), ['after']);
    assert.deepEqual(await database.check(), []);
  });
});

/** Opens a database that often checks whether a fault is over, and another program's connection to it. */
async function open(context: TestContext, options: { readonly lockWaitMs?: number } = {}) {
  const { database: migrated, dataDirectory, drop } = await openTestDatabase('SQLite');
  await migrated.close();
  atEndOf(context, drop);
  const file = join(dataDirectory, 'atrium.sqlite');
  const database = openSqlite(file, { checkEveryMs: 5, ...options });
  atEndOf(context, () => database.close());
  const outsider = new DatabaseSync(file);
  atEndOf(context, () => outsider.close());
  const events: string[] = [];
  database.onFault({
    began: ({ code }) => events.push(`${code} began`),
    ended: ({ code }) => events.push(`${code} ended`),
  });
  return { database, outsider, events };
}
