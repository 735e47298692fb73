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
const one = { organizationId: 'one', userId: 'somebody' };
const never = new AbortController().signal;

/** Starts work that ends when `end` or `fail` is called. */
function startWork(
  slots: ReturnType<typeof createExportSlots>,
  organizationId: string,
  { signal = never, userId = `member of ${organizationId}` } = {},
) {
  const work = Promise.withResolvers<string>();
  const hasStarted = Promise.withResolvers<void>();
  const result = slots.run({ organizationId, userId }, signal, () => {
    hasStarted.resolve();
    return work.promise;
  });
  return {
    end: () => work.resolve(organizationId),
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
      slots.run(one, never, async () => ''),
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

  test('are not all taken by a person with many organizations', async () => {
    const slots = createExportSlots({ ...limits, maxWaitingPerOrganization: 2 });
    const userId = 'mallory';
    const [first, second, third] = ['a', 'b', 'c'].map((id) => startWork(slots, id, { userId }));
    await first?.hasStarted;
    await assert.rejects(
      slots.run({ organizationId: 'd', userId }, never, async () => ''),
      { code: 'exports_busy' },
    );
    await assert.rejects(
      slots.run({ userId }, never, async () => ''),
      { code: 'exports_busy' },
    );
    assert.equal(await slots.run(one, never, async () => 'done'), 'done');
    first?.end();
    await second?.hasStarted;
    assert.equal(await slots.run({ userId: 'somebody' }, never, async () => 'done'), 'done');
    second?.end();
    third?.end();
    await Promise.all([first?.result, second?.result, third?.result]);
  });

  test('are given up when the client disconnects or has waited for too long', async () => {
    const slots = createExportSlots({ ...limits, maxWaitMs: 10 });
    const first = startWork(slots, 'one');
    await first.hasStarted;
    await assert.rejects(
      slots.run(one, never, async () => ''),
      { code: 'exports_busy' },
    );
    const gone = new AbortController();
    const waiting = slots.run(one, gone.signal, async () => '');
    gone.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
    first.end();
    await first.result;
    assert.equal(await slots.run(one, never, async () => 'free'), 'free');
  });
});
