import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { startFaultProxy, type FaultProxy } from '../../tests/support/network/fault-proxy.ts';
import { until } from '../../tests/support/server/server-process.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  type Engine,
  type TestDatabase,
} from '../../tests/support/server/test-server.ts';
import { hoursMs, minutesMs } from './base/clock.ts';
import { createMaintenance, type Maintenance, type MaintenanceJob } from './maintenance.ts';
import type { Database } from './storage/database.ts';
import { createJobLeases, type JobLeases } from './storage/job-leases.ts';
import { openPostgres } from './storage/postgres/postgres.ts';

describe('the maintenance of local files', () => {
  test('runs each job soon after the start, and again an hour after it ended', async (context) => {
    const { tick, ran } = open(context, { one: async () => {}, other: async () => {} });
    assert.deepEqual(ran, []);
    await tick(minutesMs(1));
    assert.deepEqual(ran, ['one', 'other']);
    await tick(minutesMs(58));
    assert.deepEqual(ran, ['one', 'other']);
    await tick(minutesMs(2));
    assert.deepEqual(ran, ['one', 'other', 'one', 'other']);
  });

  test('reports a job that fails, runs it again, and still runs the others', async (context) => {
    const { tick, ran, failures, maintenance } = open(context, {
      failing: async () => {
        throw new Error('no');
      },
      throwing: () => {
        throw new Error('not even');
      },
      other: async () => {},
    });
    await tick(minutesMs(1));
    assert.deepEqual(ran, ['failing', 'throwing', 'other']);
    assert.deepEqual(failures.toSorted(), ['failing: no', 'throwing: not even']);
    await tick(hoursMs(1));
    assert.deepEqual(ran.slice(3).toSorted(), ['failing', 'other', 'throwing']);
    const states = maintenance
      .states()
      .map((state) => [state.name, state.isFailing, state.failureCount, state.succeededAt !== undefined]);
    assert.deepEqual(states, [
      ['failing', true, 2, false],
      ['throwing', true, 2, false],
      ['other', false, 0, true],
    ]);
  });

  test('does not run a job twice at once, and does not delay other jobs', async (context) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { tick, ran, maintenance } = open(context, { slow: () => ended, other: async () => {} });
    await tick(minutesMs(1));
    await tick(hoursMs(1));
    await tick(hoursMs(1));
    assert.deepEqual(ran, ['slow', 'other', 'other', 'other']);
    assert.deepEqual(
      maintenance.states().map(({ isRunning }) => isRunning),
      [true, false],
    );
    end();
    await tick(0);
    await tick(hoursMs(1));
    assert.deepEqual(ran.slice(4).toSorted(), ['other', 'slow']);
  });

  test('stops once running jobs have ended, and starts no more', async (context) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let isStopped = false;
    let signalled: AbortSignal | undefined;
    const { tick, ran, maintenance } = open(context, {
      slow: (signal) => {
        signalled = signal;
        return ended;
      },
      other: async () => {},
    });
    await tick(minutesMs(1));
    assert.equal(signalled?.aborted, false);
    const stopped = maintenance.stop().then(() => {
      isStopped = true;
    });
    await tick(hoursMs(2));
    assert.deepEqual([signalled?.aborted, isStopped, ran], [true, false, ['slow', 'other']]);
    end();
    await stopped;
    await tick(hoursMs(2));
    assert.deepEqual(ran, ['slow', 'other']);
  });

  test('that is stopped before a job has started never starts it', async (context) => {
    const { tick, ran, maintenance } = open(context, { one: async () => {} });
    await maintenance.stop();
    await tick(hoursMs(2));
    assert.deepEqual(ran, []);
  });
});

describeOnBothEngines('the maintenance of a database', (engine) => {
  test('is done by one of several processes, and not again after a restart until it is due', async (context) => {
    const { database } = await openDatabaseFor(context, engine);
    const ran: string[] = [];
    const jobs = ['one', 'other'].map((name) => ({ name, run: async () => void ran.push(name) }));
    const processes = [1, 2, 3].map(() => startShared(context, database, jobs));
    await Promise.all(processes.map(untilDone));
    const states = processes.map(({ maintenance }) => maintenance.states());
    assert.deepEqual(ran.toSorted(), ['one', 'other']);
    assert.deepEqual(states[1], states[0]);
    await Promise.all(processes.map(({ maintenance }) => maintenance.stop()));
    const restarted = startShared(context, database, jobs);
    await untilDone(restarted);
    assert.deepEqual([ran.length, restarted.maintenance.states()], [2, states[0]]);
    await database.write((transaction) =>
      transaction.execute("update jobs set due_at = 0 where name = 'one'"),
    );
    await untilDone(startShared(context, database, jobs));
    assert.deepEqual(ran.slice(2), ['one']);
  });

  test('reports a job that fails, and all processes know', async (context) => {
    const { database } = await openDatabaseFor(context, engine);
    const jobs = [{ name: 'failing', run: () => Promise.reject(new Error('no')) }];
    const processes = [1, 2].map(() => startShared(context, database, jobs));
    await Promise.all(
      processes.map(({ maintenance }) =>
        until('it has failed', () => maintenance.states()[0]?.isFailing === true || undefined),
      ),
    );
    assert.deepEqual(
      processes.flatMap(({ failures }) => failures),
      ['failing: no'],
    );
    assert.deepEqual(
      processes.map(({ maintenance }) => maintenance.states()[0]?.failureCount),
      [1, 1],
    );
  });

  test('continues in another process if one stops in the middle of a job', async (context) => {
    const { database } = await openDatabaseFor(context, engine);
    const begun: number[] = [];
    const slow = (index: number) => ({
      name: 'slow',
      run: (stopped: AbortSignal) => {
        begun.push(index);
        return index === 1 ? whenAborted(stopped) : Promise.resolve();
      },
    });
    const one = startShared(context, database, [slow(1)]);
    await until('it runs', () => begun.length > 0 || undefined);
    const other = startShared(context, database, [slow(2)]);
    await one.maintenance.stop();
    await untilDone(other);
    assert.deepEqual(begun, [1, 2]);
  });

  test('runs a job again sooner if it asks for that', async (context) => {
    const { database } = await openDatabaseFor(context, engine);
    let left = 2;
    const run = async () => ({ againMs: (left -= 1) > 0 ? 1 : undefined });
    await untilDone(startShared(context, database, [{ name: 'one', everyMs: hoursMs(24), run }]));
    assert.equal(left, 0);
  });
});

describe('a process that loses its connection while it runs a job', () => {
  test('stops the job, which another process runs, and does not report it as done', async (context) => {
    let proxy: FaultProxy | undefined;
    let directUrl = '';
    const { database } = await openDatabaseFor(context, 'PostgreSQL', async (url) => {
      directUrl = url;
      const address = new URL(url);
      proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
      address.port = String(proxy.port);
      return address.href;
    });
    context.after(() => proxy?.close());
    const others = await openPostgres(directUrl);
    context.after(() => others.close());
    const ran: string[] = [];
    const cut = startShared(context, database, [
      {
        name: 'job',
        run: async (stopped) => {
          ran.push('begun by one');
          await whenAborted(stopped);
          ran.push('stopped by one');
        },
      },
    ]);
    await until('it runs', () => ran.length > 0 || undefined);
    proxy?.partition({ includingNew: true });
    const other = startShared(context, others, [
      { name: 'job', run: async () => void ran.push('done by other') },
    ]);
    await untilDone(other);
    await until('it is stopped', () => ran.includes('stopped by one') || undefined);
    assert.deepEqual(ran.toSorted(), ['begun by one', 'done by other', 'stopped by one']);
    proxy?.heal();
    await untilDone(cut);
    assert.deepEqual(cut.maintenance.states(), other.maintenance.states());
  });
});

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

async function openDatabaseFor(
  context: TestContext,
  engine: Engine,
  route?: (url: string) => Promise<string>,
): Promise<TestDatabase> {
  const opened = await openTestDatabase(engine, route);
  context.after(async () => {
    await opened.database.close();
    await opened.drop();
  });
  return opened;
}

interface Process {
  readonly maintenance: Maintenance;
  readonly failures: readonly string[];
}

/** Starts jobs as another process of the database would. */
function startShared(context: TestContext, database: Database, jobs: readonly MaintenanceJob[]): Process {
  const failures: string[] = [];
  const maintenance = createMaintenance(
    jobs,
    {
      clock: Date.now,
      leases: createJobLeases(database, { leaseMs: 400, everyMs: hoursMs(1) }),
      firstAfterMs: 0,
    },
    ({ name }, error) => failures.push(`${name}: ${error instanceof Error ? error.message : ''}`),
  );
  maintenance.start();
  context.after(() => maintenance.stop());
  return { maintenance, failures };
}

/** Waits until a process knows that each job was done, and is due later. */
const untilDone = ({ maintenance }: Process): Promise<true> =>
  until(
    'each job is done',
    () =>
      maintenance
        .states()
        .every(
          ({ isRunning, succeededAt, dueAt }) =>
            !isRunning && succeededAt !== undefined && (dueAt ?? 0) > Date.now() + minutesMs(1),
        ) || undefined,
  );

/** For local jobs, which need none. */
const noLeases: JobLeases = {
  leaseMs: minutesMs(1),
  everyMs: hoursMs(1),
  find: () => assert.fail(),
  take: () => assert.fail(),
};

/** Starts jobs with timers that `tick` advances. */
function open(
  context: TestContext,
  jobs: Readonly<Record<string, (stopped: AbortSignal) => Promise<void>>>,
): { maintenance: Maintenance; tick(durationMs: number): Promise<void>; ran: string[]; failures: string[] } {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const ran: string[] = [];
  const failures: string[] = [];
  const maintenance = createMaintenance(
    Object.entries(jobs).map(([name, run]) => ({
      name,
      isLocal: true,
      run: (stopped) => {
        ran.push(name);
        return run(stopped);
      },
    })),
    { clock: Date.now, leases: noLeases },
    ({ name }, error) => failures.push(`${name}: ${error instanceof Error ? error.message : ''}`),
  );
  maintenance.start();
  return {
    maintenance,
    ran,
    failures,
    tick: async (durationMs) => {
      context.mock.timers.tick(durationMs);
      // Work that continues after a timer runs before this.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
