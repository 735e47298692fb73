import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createInFlight } from './in-flight.ts';

/** Work that a test ends by hand. */
function handwork(): {
  runs: number;
  aborted: number;
  end(value: string): void;
  fail(): void;
  work: (signal: AbortSignal) => Promise<string>;
} {
  let current = Promise.withResolvers<string>();
  const hand = {
    runs: 0,
    aborted: 0,
    end: (value: string) => current.resolve(value),
    fail: () => current.reject(new Error('failed')),
    work(signal: AbortSignal) {
      hand.runs += 1;
      current = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => {
        hand.aborted += 1;
      });
      return current.promise;
    },
  };
  return hand;
}

const { signal: staying } = new AbortController();
const somebody = { requesterId: 'somebody', signal: staying };

describe('equal work', () => {
  test('is done once for all who ask while it is under way, and again afterwards', async () => {
    const inFlight = createInFlight<string>();
    const hand = handwork();
    const asked = Array.from({ length: 100 }, () => inFlight.join('a', somebody, hand.work));
    const other = inFlight.join('b', somebody, async () => 'other');
    hand.end('done');
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['done']));
    assert.equal(await other, 'other');
    assert.equal(hand.runs, 1);
    const again = inFlight.join('a', somebody, hand.work);
    hand.end('again');
    assert.deepEqual([await again, hand.runs, hand.aborted], ['again', 2, 0]);
  });

  test('fails for all who wait, and is tried again by the next', async () => {
    const inFlight = createInFlight<string>();
    const hand = handwork();
    const asked = [1, 2].map(() => inFlight.join('a', somebody, hand.work));
    hand.fail();
    for (const one of asked) await assert.rejects(one, { message: 'failed' });
    const again = inFlight.join('a', somebody, hand.work);
    hand.end('again');
    assert.equal(await again, 'again');
  });

  test('is stopped by the last who leaves, not by one of them', async () => {
    const inFlight = createInFlight<string>();
    const hand = handwork();
    const leaving = [new AbortController(), new AbortController()];
    const asked = leaving.map(({ signal }) => inFlight.join('a', { ...somebody, signal }, hand.work));
    const left = asked.map((one) => assert.rejects(one, { name: 'QueryFailure', code: 'cancelled' }));
    leaving[0]?.abort();
    await left[0];
    assert.equal(hand.aborted, 0);
    leaving[1]?.abort();
    await left[1];
    assert.equal(hand.aborted, 1);
    const next = inFlight.join('a', somebody, hand.work);
    hand.end('next');
    assert.deepEqual([await next, hand.runs], ['next', 2]);
  });

  test('is not begun for who has left already', async () => {
    const inFlight = createInFlight<string>();
    const hand = handwork();
    await assert.rejects(inFlight.join('a', { ...somebody, signal: AbortSignal.abort() }, hand.work), {
      code: 'cancelled',
    });
    assert.equal(hand.runs, 0);
  });

  test('knows the people who wait for it, as they come and go', async () => {
    const inFlight = createInFlight<string>();
    const leaving = new AbortController();
    const seen: string[] = [];
    let waiting: readonly string[] = [];
    const done = Promise.withResolvers<string>();
    const join = (requesterId: string, signal = staying) =>
      inFlight.join(
        'a',
        { requesterId, signal, onJoined: () => seen.push(waiting.join(' ')) },
        (_signal, requesterIds) => {
          waiting = requesterIds;
          return done.promise;
        },
      );
    const first = join('one', leaving.signal);
    const others = [join('two'), join('one')];
    assert.deepEqual(seen, ['one two', 'one two one']);
    leaving.abort();
    await assert.rejects(first, { code: 'cancelled' });
    assert.deepEqual(waiting, ['two', 'one']);
    done.resolve('done');
    assert.deepEqual(await Promise.all(others), ['done', 'done']);
  });
});
