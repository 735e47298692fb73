import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { until } from '../../../tests/support/server/server-process.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import { hoursMs, minutesMs } from '../base/clock.ts';
import type { Database } from './database.ts';
import { createJobLeases } from './job-leases.ts';

const everyMs = hoursMs(1);

describeOnBothEngines('the lease of a job', (engine) => {
  test('is given to one of many processes at once, and not again until the job is due', async (context) => {
    const leases = createJobLeases(await open(context, engine), { leaseMs: minutesMs(1), everyMs });
    assert.equal((await leases.find('job')).waitMs, 0);
    const taken = (await Promise.all(Array.from({ length: 20 }, () => leases.take('job')))).filter(
      (lease) => lease !== undefined,
    );
    assert.equal(taken.length, 1);
    assert.ok((await leases.find('job')).waitMs > 50_000);
    assert.equal(await taken[0]?.renew(), true);
    await taken[0]?.release({ durationMs: 12.3, hasFailed: false });
    assert.equal(await leases.take('job'), undefined);
    const { waitMs, succeededAt, ...shared } = await leases.find('job');
    assert.ok(waitMs > minutesMs(59) && waitMs <= everyMs, `${waitMs}`);
    assert.ok(Math.abs((succeededAt ?? 0) - Date.now()) < minutesMs(1));
    assert.deepEqual(
      { ...shared, dueAt: 0 },
      { dueAt: 0, lastDurationMs: 12, failureCount: 0, isFailing: false },
    );
  });

  test('ends if it is not renewed: then another process has it, and the first one changes nothing', async (context) => {
    const leases = createJobLeases(await open(context, engine), { leaseMs: 50, everyMs });
    await leases.find('job');
    const first = await leases.take('job');
    const second = await until('the lease has ended', () => leases.take('job'));
    assert.equal(await first?.renew(), false);
    await first?.release({ durationMs: 1, hasFailed: true });
    const { isFailing, succeededAt } = await leases.find('job');
    assert.deepEqual({ isFailing, succeededAt }, { isFailing: false, succeededAt: undefined });
    await second.release(undefined);
    assert.ok(await leases.take('job'), 'an unfinished job stays due');
  });

  test('does not wait for times from before the clock of the database was set back', async (context) => {
    const database = await open(context, engine);
    const leases = createJobLeases(database, { leaseMs: minutesMs(1), everyMs });
    await leases.find('job');
    const tomorrow = Date.now() + hoursMs(24);
    await database.write((transaction) =>
      transaction.execute(`update jobs set held_until = ${tomorrow}, due_at = ${tomorrow}`),
    );
    assert.equal((await leases.find('job')).waitMs, 0);
    assert.ok(await leases.take('job'));
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
