import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { hoursMs, minutesMs } from './base/clock.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';

describe('maintenance', () => {
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
      run: (stopped) => {
        ran.push(name);
        return run(stopped);
      },
    })),
    Date.now,
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
