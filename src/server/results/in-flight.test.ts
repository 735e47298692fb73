import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createInFlight } from './in-flight.ts';

/** Work that a test ends manually. */
function createManualWork(): {
  runs: number;
  aborted: number;
  end(value: string): void;
  fail(): void;
  work: (signal: AbortSignal) => Promise<string>;
} {
  let current = Promise.withResolvers<string>();
  const manual = {
    runs: 0,
    aborted: 0,
    end: (value: string) => current.resolve(value),
    fail: () => current.reject(new Error('failed')),
    work(signal: AbortSignal) {
      manual.runs += 1;
      current = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => {
        manual.aborted += 1;
      });
      return current.promise;
    },
  };
  return manual;
}

const { signal: staying } = new AbortController();
const somebody = { requesterId: 'somebody', signal: staying };

describe('equal work', () => {
  test('runs once for all requests while it is in progress, and again afterwards', async () => {
    const inFlight = createInFlight<string>();
    const manual = createManualWork();
    const joined = Array.from({ length: 100 }, () => inFlight.join('a', somebody, manual.work));
    const other = inFlight.join('b', somebody, async () => 'other');
    manual.end('done');
    assert.deepEqual(new Set(await Promise.all(joined)), new Set(['done']));
    assert.equal(await other, 'other');
    assert.equal(manual.runs, 1);
    const again = inFlight.join('a', somebody, manual.work);
    manual.end('again');
    assert.deepEqual([await again, manual.runs, manual.aborted], ['again', 2, 0]);
  });

  test('fails for everyone who waits, and runs again for the next request', async () => {
    const inFlight = createInFlight<string>();
    const manual = createManualWork();
    const joined = [1, 2].map(() => inFlight.join('a', somebody, manual.work));
    manual.fail();
    for (const one of joined) await assert.rejects(one, { message: 'failed' });
    const again = inFlight.join('a', somebody, manual.work);
    manual.end('again');
    assert.equal(await again, 'again');
  });

  test('is stopped when the last person leaves, not before', async () => {
    const inFlight = createInFlight<string>();
    const manual = createManualWork();
    const leaving = [new AbortController(), new AbortController()];
    const joined = leaving.map(({ signal }) => inFlight.join('a', { ...somebody, signal }, manual.work));
    const left = joined.map((one) => assert.rejects(one, { name: 'QueryFailure', code: 'cancelled' }));
    leaving[0]?.abort();
    await left[0];
    assert.equal(manual.aborted, 0);
    leaving[1]?.abort();
    await left[1];
    assert.equal(manual.aborted, 1);
    const next = inFlight.join('a', somebody, manual.work);
    manual.end('next');
    assert.deepEqual([await next, manual.runs], ['next', 2]);
  });

  test('does not start for a client that has already left', async () => {
    const inFlight = createInFlight<string>();
    const manual = createManualWork();
    await assert.rejects(inFlight.join('a', { ...somebody, signal: AbortSignal.abort() }, manual.work), {
      code: 'cancelled',
    });
    assert.equal(manual.runs, 0);
  });

  test('gets the current list of people who wait for it', async () => {
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
