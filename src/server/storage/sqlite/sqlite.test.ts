import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../../tests/support/server/test-server.ts';
import { mayBeStored } from '../../base/errors.ts';
import type { Database } from '../database.ts';
import { prepare, type PreparedQuery } from '../prepared-query.ts';

const insert = prepare((sql, p: { text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const all = prepare((sql) =>
  sql.selectFrom('set_up_links').select('token_hash as text').orderBy('token_hash'),
);

describe('the embedded database', () => {
  test('commits the writes of one turn together, and those of other turns separately', async (context) => {
    const { database, commitCount } = await open(context);
    const write = (text: string) => database.write((transaction) => transaction.run(insert, { text }));
    const before = commitCount();
    await Promise.all(Array.from({ length: 100 }, (_, index) => write(`together ${index}`)));
    assert.equal(commitCount() - before, 1);
    for (let index = 0; index < 5; index += 1) await write(`alone ${index}`);
    assert.equal(commitCount() - before, 6);
  });

  test('does not acknowledge a write of a turn before all have run', async (context) => {
    const { database } = await open(context);
    const events: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map(async (text) => {
        await database.write(async (transaction) => {
          await transaction.run(insert, { text });
          events.push(`${text} ran`);
        });
        events.push(`${text} is acknowledged`);
      }),
    );
    assert.deepEqual(events, [
      'a ran',
      'b ran',
      'c ran',
      'a is acknowledged',
      'b is acknowledged',
      'c is acknowledged',
    ]);
  });

  test('flushes each commit to the disk, and enforces foreign keys', async (context) => {
    const { database } = await open(context);
    const pragmas = await database.write(async (transaction) =>
      Promise.all(
        ['synchronous', 'journal_mode', 'foreign_keys'].map((name) => transaction.first(pragma(name), {})),
      ),
    );
    // 2 is FULL.
    assert.deepEqual(
      pragmas.map((row) => Object.values(row ?? {})),
      [[2], ['wal'], [1]],
    );
  });

  test('rejects every write of a commit that fails, and continues', async (context) => {
    const { database } = await open(context);
    const outcomes = await Promise.allSettled([
      database.write((transaction) => transaction.run(insert, { text: 'before' })),
      database.write(async (transaction) => {
        await transaction.execute('pragma defer_foreign_keys = on');
        await transaction.execute(
          "insert into members (organization_id, user_id, role, created_at) values ('no organization', 'nobody', 'owner', '')",
        );
      }),
      database.write((transaction) => transaction.run(insert, { text: 'behind' })),
    ]);
    assert.deepEqual(reasonsOf(outcomes), Array(3).fill('FOREIGN KEY constraint failed'));
    assert.ok(!outcomes.some((outcome) => outcome.status === 'rejected' && mayBeStored(outcome.reason)));
    assert.deepEqual(await textsOf(database), []);
    await database.write((transaction) => transaction.run(insert, { text: 'after' }));
    assert.deepEqual(await textsOf(database), ['after']);
  });

  test('continues after a row whose id is too large to be exact', async (context) => {
    const { database } = await open(context);
    await database.write(async (transaction) => {
      await transaction.execute('create table numbered (number integer primary key)');
      assert.equal(await transaction.run(insertNumbered, {}), 1);
      assert.equal(await transaction.run(insert, { text: 'behind' }), 1);
      await transaction.execute('insert into numbered values (9007199254740994)');
    });
    await database.write((transaction) => transaction.run(insert, { text: 'later' }));
    assert.deepEqual(await textsOf(database), ['behind', 'later']);
  });

  test('rejects a write after it was closed, and does not leave it pending', async (context) => {
    const { database } = await open(context);
    await database.close();
    const write = () => database.write((transaction) => transaction.run(insert, { text: 'late' }));
    await assert.rejects(write(), /not open/);
    await assert.rejects(write(), /not open/);
  });

  test('does not acknowledge writes that a full disk rolled back, and continues when there is space', async (context) => {
    const { database } = await open(context);
    const limitPages = (limit: number) =>
      database.write((transaction) => transaction.execute(`pragma max_page_count = ${limit}`));
    const pages = await database.first(pragma('page_count'), {});
    await limitPages(Number(pages?.['page_count']) + 2);
    const texts = ['small', 'x'.repeat(100_000), 'little'];
    const outcomes = await Promise.allSettled(
      texts.map((text) => database.write((transaction) => transaction.run(insert, { text }))),
    );
    assert.equal(
      reasonsOf(outcomes)[1],
      'The database cannot be written: its disk is full. Free up space; no restart is needed.',
    );
    const acknowledged = texts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    assert.deepEqual(await textsOf(database), acknowledged.toSorted());
    await limitPages(1_000_000);
    await Promise.all(
      ['then', 'y'.repeat(100_000)].map((text) =>
        database.write((transaction) => transaction.run(insert, { text })),
      ),
    );
    assert.deepEqual(await textsOf(database), [...acknowledged, 'then', 'y'.repeat(100_000)].toSorted());
  });

  test('reports that a commit may be stored if writing it failed', async (context) => {
    const { database } = await open(context);
    const ioError = Object.assign(new Error('disk I/O error'), { errcode: 1034 });
    const { exec } = DatabaseSync.prototype;
    const failing = context.mock.method(
      DatabaseSync.prototype,
      'exec',
      function fail(this: DatabaseSync, sql: string) {
        exec.call(this, sql);
        if (sql === 'commit') throw ioError;
      },
    );
    const error: unknown = await database
      .write((transaction) => transaction.run(insert, { text: 'committed' }))
      .catch((reason: unknown) => reason);
    failing.mock.restore();
    assert.ok(mayBeStored(error), String(error));
    assert.deepEqual(await textsOf(database), ['committed']);
  });
});

const textsOf = async (database: Database): Promise<string[]> =>
  (await database.all(all, {})).map(({ text }) => text);

const reasonsOf = (outcomes: readonly PromiseSettledResult<unknown>[]): (string | undefined)[] =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : undefined));

const pragma = (name: string): PreparedQuery<object, Record<string, unknown>> =>
  prepare((builder) => ({
    compile: () => sql.raw<Record<string, unknown>>(`pragma ${name}`).compile(builder),
  }));

const insertNumbered: PreparedQuery<object, unknown> = prepare((builder) => ({
  compile: () => sql`insert into numbered values (9007199254740993)`.compile(builder),
}));

async function open(context: TestContext): Promise<{ database: Database; commitCount(): number }> {
  const { database, dataDirectory, drop } = await openTestDatabase('SQLite');
  context.after(async () => {
    await database.close();
    await drop();
  });
  return { database, commitCount: () => commitsIn(readFileSync(join(dataDirectory, 'atrium.sqlite-wal'))) };
}

/** Returns how many commits a write-ahead log has (https://sqlite.org/fileformat2.html, section 4). */
function commitsIn(log: Buffer): number {
  const headerBytes = 32;
  const frameBytes = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    const isOfThisLog = log.subarray(at + 8, at + 16).equals(salt);
    const isCommit = log.readUInt32BE(at + 4) !== 0;
    if (isOfThisLog && isCommit) commits += 1;
  }
  return commits;
}
