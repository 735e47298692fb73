import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { limitResults } from './results-limit.ts';

test('a limit of results stops them when their time is over, but not what follows them', async () => {
  const createError = () => new Error('The time is over.');
  const never = new AbortController().signal;
  const slow = limitResults(never, { timeoutMs: 10, createError });
  async function* endless(): AsyncGenerator<string> {
    yield 'first';
    await once(slow.signal, 'abort');
    slow.signal.throwIfAborted();
  }
  await assert.rejects(Array.fromAsync(slow.until(endless())), /The time is over/);

  const quick = limitResults(never, { timeoutMs: 10, createError });
  async function* all(): AsyncGenerator<string> {
    yield 'only';
  }
  assert.deepEqual(await Array.fromAsync(quick.until(all())), ['only']);
  const later = limitResults(never, { timeoutMs: 20, createError });
  await once(later.signal, 'abort');
  assert.equal(quick.signal.aborted, false);

  const client = new AbortController();
  const gone = limitResults(client.signal, { timeoutMs: 60_000, createError });
  client.abort();
  assert.equal(gone.signal.aborted, true);
  gone.end();
});
