import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClaimedWorkRunner, type ClaimedWork } from './claimed-work.ts';

/** Returns a runner of pieces, which are done in the order in which they are taken. */
function startWork(pieces: Record<string, number>, options: Partial<ClaimedWork> = {}) {
  const taken: string[] = [];
  const runner = createClaimedWorkRunner({
    findWaiting: async () =>
      Object.keys(pieces)
        .filter((key) => (pieces[key] ?? 0) > 0)
        .map((key) => ({ key, organizationId: key })),
    take: async (key, limit) => {
      const count = Math.min(limit, pieces[key] ?? 0);
      pieces[key] = (pieces[key] ?? 0) - count;
      return Array.from({ length: count }, () => async () => void taken.push(key));
    },
    maxPerKey: 2,
    maxPerOrganization: 2,
    maxInFlight: 3,
    pollMs: 60_000,
    onFailure: assert.ifError,
    ...options,
  });
  return { runner, taken };
}

describe('claimed work', () => {
  test('is done in turn, with limits for each key and for all', async () => {
    const { runner, taken } = startWork({ a: 6, b: 3, c: 1 });
    await runner.runDue();
    // Three at once: two of `a` and one of `b`, then the key that waited, and then those that were served first.
    assert.equal(taken.join(''), 'aabcaabbaa');
  });

  test('of one organization never takes the places of others', async () => {
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    const waiting = ['a1', 'a2', 'a3', 'b1'].map((key) => ({ key, organizationId: key.slice(0, 1) }));
    const left = new Set(waiting.map(({ key }) => key));
    const { runner } = startWork(
      {},
      {
        findWaiting: async () => waiting.filter(({ key }) => left.has(key)),
        take: async (key) => {
          left.delete(key);
          taken.push(key);
          return [() => gate.promise];
        },
        maxInFlight: 3,
      },
    );
    const done = runner.runDue();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(taken, ['a1', 'a2', 'b1']);
    gate.resolve();
    await done;
    assert.deepEqual(taken, ['a1', 'a2', 'b1', 'a3']);
  });

  test('reports the first of several failures', async () => {
    const failures: unknown[] = [];
    const { runner } = startWork(
      {},
      {
        findWaiting: () => Promise.reject(new Error('no database')),
        onFailure: (error) => failures.push(error),
      },
    );
    runner.start();
    for (let round = 0; round < 3; round += 1) {
      runner.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await runner.stop();
    assert.equal(failures.length, 1);
  });

  test('begins nothing after it was stopped, and waits for what is being done', async () => {
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    let left = 5;
    const { runner } = startWork(
      {},
      {
        findWaiting: async () => (left > 0 ? [{ key: 'a', organizationId: 'a' }] : []),
        take: async () => {
          left -= 1;
          return [() => gate.promise.then(() => void done.push('a'))];
        },
      },
    );
    runner.start();
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
    const stopped = runner.stop();
    gate.resolve();
    await stopped;
    runner.wake();
    assert.deepEqual([done, left], [['a'], 4]);
  });
});
