import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { createAnswerRoom } from './memory-budget.ts';

const { signal } = new AbortController();

describe('the room for answers', () => {
  test('leaves each organization some, whatever another holds', () => {
    const room = createAnswerRoom(100);
    const greedy = [20, 20, 20, 20].map((sizeBytes) => room.take('greedy', sizeBytes) !== undefined);
    assert.deepEqual(greedy, [true, true, true, false]);
    assert.ok(room.take('other', 30));
    assert.equal(room.take('third', 11), undefined);
    assert.ok(room.take('third', 10));
  });

  test('is given back once, and to those who wait in their order', async () => {
    const room = createAnswerRoom(100);
    const release = room.take('one', 50);
    const begun: number[] = [];
    for (const sizeBytes of [40, 1]) {
      void room.wait('one', sizeBytes, signal).then(() => begun.push(sizeBytes));
    }
    assert.equal(room.take('one', 1), undefined);
    await setImmediate();
    assert.deepEqual(begun, []);
    release?.();
    release?.();
    await setImmediate();
    assert.deepEqual(begun, [40, 1]);
    assert.equal(room.take('one', 19), undefined);
    assert.ok(room.take('one', 18));
  });

  test('is not kept for who leaves', async () => {
    const room = createAnswerRoom(100);
    const release = room.take('one', 50);
    const leaving = new AbortController();
    const left = room.wait('one', 50, leaving.signal);
    const stays = room.wait('one', 10, signal);
    leaving.abort();
    await assert.rejects(left, { name: 'QueryFailure', code: 'cancelled' });
    await assert.rejects(room.wait('one', 1, leaving.signal), { code: 'cancelled' });
    release?.();
    assert.ok(await stays);
  });

  test('is there for an answer that is larger than all of it, by itself', () => {
    const room = createAnswerRoom(100);
    assert.ok(room.take('one', 200));
    assert.equal(room.take('other', 1), undefined);
  });
});
