import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AtriumError } from '../base/errors.ts';
import { createExportSlots } from './slots.ts';

const limits = {
  maxWorkers: 2,
  maxWorkersPerOrganization: 1,
  maxWaitingPerOrganization: 1,
  maxWaitMs: 60_000,
};
const never = new AbortController().signal;

/** Starts work that ends when it is told to. */
function startWork(slots: ReturnType<typeof createExportSlots>, organization: string, signal = never) {
  const work = Promise.withResolvers<string>();
  const hasStarted = Promise.withResolvers<void>();
  const result = slots.run(organization, signal, () => {
    hasStarted.resolve();
    return work.promise;
  });
  return {
    end: () => work.resolve(organization),
    fail: (error: Error) => work.reject(error),
    hasStarted: hasStarted.promise,
    result,
  };
}

describe('the slots of exports', () => {
  test('go to organizations in turn, and leave no one out', async () => {
    const slots = createExportSlots(limits);
    const first = startWork(slots, 'one');
    const second = startWork(slots, 'one');
    const other = startWork(slots, 'two');
    await Promise.all([first.hasStarted, other.hasStarted]);
    await assert.rejects(
      slots.run('one', never, async () => ''),
      (error: unknown) =>
        error instanceof AtriumError &&
        error.code === 'exports_busy' &&
        error.headers['retry-after'] === '10',
    );
    first.fail(new Error('It failed.'));
    await assert.rejects(first.result, /It failed/);
    await second.hasStarted;
    second.end();
    other.end();
    assert.deepEqual(await Promise.all([second.result, other.result]), ['one', 'two']);
  });

  test('are left by who disconnects or has waited for too long', async () => {
    const slots = createExportSlots({ ...limits, maxWaitMs: 10 });
    const first = startWork(slots, 'one');
    await first.hasStarted;
    await assert.rejects(
      slots.run('one', never, async () => ''),
      { code: 'exports_busy' },
    );
    const gone = new AbortController();
    const waiting = slots.run('one', gone.signal, async () => '');
    gone.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
    first.end();
    await first.result;
    assert.equal(await slots.run('one', never, async () => 'free'), 'free');
  });
});
