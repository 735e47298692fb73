import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { createMemoryBudget } from './memory-budget.ts';

const { signal } = new AbortController();

describe('the memory budget of results', () => {
  test('leaves some for each organization, however much another takes', () => {
    const budget = createMemoryBudget(100);
    const greedy = [20, 20, 20, 20].map((sizeBytes) => budget.take('greedy', sizeBytes) !== undefined);
    assert.deepEqual(greedy, [true, true, true, false]);
    assert.ok(budget.take('other', 30));
    assert.equal(budget.take('third', 11), undefined);
    assert.ok(budget.take('third', 10));
  });

  test('is released once, and given to waiting clients in their order', async () => {
    const budget = createMemoryBudget(100);
    const release = budget.take('one', 50);
    const begun: number[] = [];
    for (const sizeBytes of [40, 1]) {
      void budget.wait('one', sizeBytes, signal).then(() => begun.push(sizeBytes));
    }
    assert.equal(budget.take('one', 1), undefined);
    await setImmediate();
    assert.deepEqual(begun, []);
    release?.();
    release?.();
    await setImmediate();
    assert.deepEqual(begun, [40, 1]);
    assert.equal(budget.take('one', 19), undefined);
    assert.ok(budget.take('one', 18));
  });

  test('is not reserved for clients that disconnect', async () => {
    const budget = createMemoryBudget(100);
    const release = budget.take('one', 50);
    const leaving = new AbortController();
    const left = budget.wait('one', 50, leaving.signal);
    const stays = budget.wait('one', 10, signal);
    leaving.abort();
    await assert.rejects(left, { name: 'QueryFailure', code: 'cancelled' });
    await assert.rejects(budget.wait('one', 1, leaving.signal), { code: 'cancelled' });
    release?.();
    assert.ok(await stays);
  });

  test('is given entirely to a result that is larger', () => {
    const budget = createMemoryBudget(100);
    assert.ok(budget.take('one', 200));
    assert.equal(budget.take('other', 1), undefined);
  });
});
