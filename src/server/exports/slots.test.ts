import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AtriumError } from '../base/errors.ts';
import { tenantOf } from '../base/tenant.ts';
import { createExportSlots, type ExportOwner } from './slots.ts';

const limits = {
  maxWorkers: 2,
  reservedWorkers: 0,
  maxWorkersPerOrganization: 1,
  maxWaitingPerOrganization: 1,
  maxWaitMs: 60_000,
};
const never = new AbortController().signal;
const isBusy = (error: unknown): boolean =>
  error instanceof AtriumError && error.code === 'exports_busy' && error.headers['retry-after'] === '10';

const ownerOf = (
  organizationId: string | undefined,
  userId = `member of ${organizationId}`,
): ExportOwner => ({
  tenant: tenantOf({ organizationId, userId }),
  userId,
});
const one = ownerOf('one', 'somebody');

/** Starts work that ends when `end` or `fail` is called. */
function startWork(slots: ReturnType<typeof createExportSlots>, owner: ExportOwner) {
  const work = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const state = { hasStarted: false };
  const result = slots.run(owner, never, () => {
    state.hasStarted = true;
    started.resolve();
    return work.promise;
  });
  return {
    state,
    end: () => work.resolve('done'),
    fail: (error: Error) => work.reject(error),
    hasStarted: started.promise,
    result,
  };
}

describe('the slots of exports', () => {
  test('go to organizations in turn, and leave no one out', async () => {
    const slots = createExportSlots(limits);
    const first = startWork(slots, ownerOf('one'));
    const second = startWork(slots, ownerOf('one'));
    const other = startWork(slots, ownerOf('two'));
    await Promise.all([first.hasStarted, other.hasStarted]);
    await assert.rejects(
      slots.run(one, never, async () => ''),
      isBusy,
    );
    first.fail(new Error('It failed.'));
    await assert.rejects(first.result, /It failed/);
    await second.hasStarted;
    second.end();
    other.end();
    assert.deepEqual(await Promise.all([second.result, other.result]), ['done', 'done']);
  });

  test('are not all taken by a person with many organizations, or with personal dashboards', async () => {
    for (const organizationIds of [
      ['a', 'b', 'c'],
      [undefined, 'a', undefined],
      [undefined, undefined, undefined],
    ]) {
      const slots = createExportSlots({ ...limits, maxWaitingPerOrganization: 2 });
      const [first, ...others] = organizationIds.map((id) => startWork(slots, ownerOf(id, 'mallory')));
      await first?.hasStarted;
      for (const id of ['d', undefined])
        await assert.rejects(
          slots.run(ownerOf(id, 'mallory'), never, async () => ''),
          isBusy,
        );
      assert.equal(await slots.run(one, never, async () => 'done'), 'done');
      first?.end();
      await others[0]?.hasStarted;
      assert.equal(await slots.run(ownerOf(undefined, 'somebody'), never, async () => 'done'), 'done');
      for (const each of others) each.end();
      await Promise.all([first?.result, ...others.map(({ result }) => result)]);
    }
  });

  test('go first to those whose last turn was the longest ago, however many exports of others wait', async () => {
    const slots = createExportSlots({ ...limits, maxWorkers: 1, maxWaitingPerOrganization: 4 });
    const order: string[] = [];
    const waiting = ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1', 'modest 2', 'alone'].map(
      async (name) => {
        const [organization = ''] = name.split(' ');
        const userId = organization === 'alone' ? 'alone' : name;
        await slots.run(
          ownerOf(organization === 'alone' ? undefined : organization, userId),
          never,
          async () => {
            order.push(name);
          },
        );
      },
    );
    await Promise.all(waiting);
    assert.deepEqual(order, ['greedy 1', 'modest 1', 'alone', 'greedy 2', 'modest 2', 'greedy 3']);
  });

  test('are left for others by those whose exports are slow', async () => {
    const time = { now: 0 };
    const slots = createExportSlots(
      { ...limits, maxWorkers: 3, reservedWorkers: 1, maxWaitingPerOrganization: 4 },
      () => time.now,
    );
    const start = async (userId: string) => {
      const work = startWork(slots, ownerOf(undefined, userId));
      await work.hasStarted;
      return work;
    };
    const [mallory, trudy] = [await start('mallory'), await start('trudy')];
    const again = startWork(slots, ownerOf(undefined, 'mallory'));
    assert.equal(await slots.run(one, never, async () => 'done'), 'done');
    time.now += 5_001;
    mallory.end();
    await mallory.result;
    await again.hasStarted;
    const eve = startWork(slots, ownerOf(undefined, 'eve'));
    await eve.hasStarted;
    eve.end();
    await eve.result;
    time.now += 5_001;
    const bob = await start('bob');
    again.end();
    trudy.end();
    await Promise.all([again.result, trudy.result]);
    const [first, second] = [await start('carol'), startWork(slots, ownerOf(undefined, 'trudy'))];
    assert.equal(await slots.run(one, never, async () => 'done'), 'done');
    assert.equal(second.state.hasStarted, false, 'The last slot is reserved.');
    for (const each of [bob, first, second]) each.end();
    await Promise.all([bob, first, second].map(({ result }) => result));
  });

  test('are taken only by the part of the work that needs one', async () => {
    const slots = createExportSlots({ ...limits, maxWorkers: 1 });
    const queries = Promise.withResolvers<void>();
    const slow = ['mallory', 'trudy'].map((userId) =>
      slots.admit(ownerOf(undefined, userId), never, async (takeSlot) => {
        await queries.promise;
        return takeSlot(async () => userId);
      }),
    );
    assert.equal(await slots.run(one, never, async () => 'done'), 'done');
    queries.resolve();
    assert.deepEqual(await Promise.all(slow), ['mallory', 'trudy']);
  });

  test('are given up when the client disconnects or has waited for too long', async () => {
    const slots = createExportSlots({ ...limits, maxWaitMs: 10 });
    const first = startWork(slots, one);
    await first.hasStarted;
    await assert.rejects(
      slots.run(one, never, async () => ''),
      isBusy,
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
