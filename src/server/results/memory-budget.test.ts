import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { keyOfOrganization } from '../base/tenant.ts';
import { createMemoryBudget } from './memory-budget.ts';

const { signal } = new AbortController();

describe('the memory budget of results', () => {
  test('leaves some for each organization, however much another takes', () => {
    const budget = createMemoryBudget(100);
    const greedy = [20, 20, 20, 20].map(
      (sizeBytes) => budget.take(keyOfOrganization('greedy'), sizeBytes) !== undefined,
    );
    assert.deepEqual(greedy, [true, true, true, false]);
    assert.ok(budget.take(keyOfOrganization('other'), 30));
    assert.equal(budget.take(keyOfOrganization('third'), 11), undefined);
    assert.ok(budget.take(keyOfOrganization('third'), 10));
  });

  test('is released once, and given to waiting clients in their order', async () => {
    const budget = createMemoryBudget(100);
    const release = budget.take(keyOfOrganization('one'), 50);
    const begun: number[] = [];
    for (const sizeBytes of [40, 1]) {
      void budget.wait(keyOfOrganization('one'), sizeBytes, signal).then(() => begun.push(sizeBytes));
    }
    assert.equal(budget.take(keyOfOrganization('one'), 1), undefined);
    await setImmediate();
    assert.deepEqual(begun, []);
    release?.();
    release?.();
    await setImmediate();
    assert.deepEqual(begun, [40, 1]);
    assert.equal(budget.take(keyOfOrganization('one'), 19), undefined);
    assert.ok(budget.take(keyOfOrganization('one'), 18));
  });

  test('is not reserved for clients that disconnect', async () => {
    const budget = createMemoryBudget(100);
    const release = budget.take(keyOfOrganization('one'), 50);
    const leaving = new AbortController();
    const left = budget.wait(keyOfOrganization('one'), 50, leaving.signal);
    const stays = budget.wait(keyOfOrganization('one'), 10, signal);
    leaving.abort();
    await assert.rejects(left, { name: 'QueryFailure', code: 'cancelled' });
    await assert.rejects(budget.wait(keyOfOrganization('one'), 1, leaving.signal), { code: 'cancelled' });
    release?.();
    assert.ok(await stays);
  });

  test('is given entirely to a result that is larger', () => {
    const budget = createMemoryBudget(100);
    assert.ok(budget.take(keyOfOrganization('one'), 200));
    assert.equal(budget.take(keyOfOrganization('other'), 1), undefined);
  });
});
