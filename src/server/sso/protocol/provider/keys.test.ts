import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProviderKeys, type KeyFetch, type ProviderKeys } from './keys.ts';

const textOf = async (fetched: KeyFetch | undefined) => (await fetched?.response)?.text;

describe('the keys of a provider', () => {
  test('are fetched once for simultaneous requests, and again after five minutes', async () => {
    const { keys, advance } = open();
    const all = await Promise.all([keys.get(), keys.get(), keys.get()].map(textOf));
    assert.deepEqual(all, ['answer 1', 'answer 1', 'answer 1']);
    advance(299_999);
    assert.equal(await textOf(keys.get()), 'answer 1');
    advance(1);
    assert.equal(await textOf(keys.get()), 'answer 2');
  });

  test('that do not match are fetched again at most once in ten seconds', async () => {
    const { keys, advance } = open();
    const known = keys.get();
    const newer = [keys.findNewer(known), keys.findNewer(known), keys.get()];
    assert.deepEqual(await Promise.all(newer.map(textOf)), ['answer 2', 'answer 2', 'answer 2']);
    assert.equal(keys.findNewer(keys.get()), undefined);
    advance(10_000);
    assert.equal(await textOf(keys.findNewer(keys.get())), 'answer 3');
  });

  test('are not cached if fetching them failed', async () => {
    const { keys, answerWith } = open();
    answerWith(async () => new Response('down', { status: 500 }));
    assert.deepEqual(await keys.get().response, {
      status: 500,
      contentType: 'text/plain;charset=UTF-8',
      text: 'down',
    });
    answerWith(() => Promise.reject(new Error('gone')));
    await assert.rejects(keys.get().response, { message: 'gone' });
    answerWith(async () => new Response('here'));
    assert.equal(await textOf(keys.get()), 'here');
  });
});

/** Returns the keys of a provider that numbers its responses. */
function open(): {
  keys: ProviderKeys;
  advance(durationMs: number): void;
  answerWith(fetchKeys: () => Promise<Response>): void;
} {
  let [now, count] = [0, 0];
  let fetchKeys = async () => new Response(`answer ${++count}`);
  return {
    keys: createProviderKeys(
      () => fetchKeys(),
      () => now,
    ),
    advance: (durationMs) => {
      now += durationMs;
    },
    answerWith: (replaced) => {
      fetchKeys = replaced;
    },
  };
}
