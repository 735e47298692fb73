import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  describeOnBothEngines,
  openTestDatabase,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import { hoursMs, minutesMs } from '../base/clock.ts';
import type { Database } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { createAttemptCounts, sweepAttempts } from './attempt-counts.ts';

const rows = prepare((sql) => sql.selectFrom('limited_attempts').select(['key', 'count']).orderBy('key'));
const one = { key: 'one', limit: 3 };
const other = { key: 'other', limit: 10 };

describeOnBothEngines('counts of attempts', (engine) => {
  test('are shared by processes, and start again after 15 minutes', async (context) => {
    const database = await open(context, engine);
    let now = Date.UTC(2026, 10, 22);
    const processes = [1, 2].map(() => createAttemptCounts(database, () => now));
    const add = async (index: number) => (await processes[index % 2]?.add([one, other]))?.waitMs;
    assert.deepEqual([await add(0), await add(1), await add(0)], [undefined, undefined, undefined]);
    now += minutesMs(5);
    assert.deepEqual([await add(0), await add(1)], [minutesMs(10), minutesMs(10)]);
    // A refused attempt is counted under no key.
    assert.deepEqual(await database.all(rows, {}), [
      { key: 'one', count: 3 },
      { key: 'other', count: 3 },
    ]);
    now += minutesMs(10);
    assert.deepEqual([await add(0), await add(1)], [undefined, undefined]);
    assert.deepEqual(await database.all(rows, {}), [
      { key: 'one', count: 2 },
      { key: 'other', count: 2 },
    ]);
  });

  test('do not exceed a limit when 100 attempts arrive at once at two processes', async (context) => {
    const database = await open(context, engine);
    const processes = [1, 2].map(() => createAttemptCounts(database, Date.now));
    const reached = await Promise.all(
      processes.flatMap((counts) =>
        Array.from({ length: 50 }, () => counts.add([{ ...one, limit: 10 }, other])),
      ),
    );
    assert.equal(reached.filter((limit) => limit === undefined).length, 10);
  });

  test('are reduced and reset by successes, and deleted when they are old', async (context) => {
    const database = await open(context, engine);
    let now = Date.UTC(2026, 10, 22);
    const counts = createAttemptCounts(database, () => now);
    await counts.add([one, other]);
    await counts.add([one, other]);
    await counts.subtract([other], one);
    assert.deepEqual(await database.all(rows, {}), [{ key: 'other', count: 1 }]);
    now += hoursMs(1);
    await sweepAttempts(database, () => now);
    assert.deepEqual(await database.all(rows, {}), []);
  });

  test('of a blocked key are not stored: a flood writes nothing', async (context) => {
    const database = await open(context, engine);
    const counts = createAttemptCounts(database, Date.now);
    let commits = 0;
    for (let attempt = 0; attempt < 4; attempt += 1) await counts.add([one]);
    const silent = createAttemptCounts(
      { ...database, write: (work) => ((commits += 1), database.write(work)) },
      Date.now,
    );
    for (let attempt = 0; attempt < 100; attempt += 1) assert.ok(await silent.add([one]));
    assert.equal(commits, 1);
  });
});

async function open(context: TestContext, engine: Engine): Promise<Database> {
  const { database, drop } = await openTestDatabase(engine);
  context.after(async () => {
    await database.close();
    await drop();
  });
  return database;
}
