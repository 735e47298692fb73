import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { collect } from './collect.ts';

const bytesOf = (...texts: string[]): Readable => Readable.from(texts.map((text) => Buffer.from(text)));

describe('a collected stream', () => {
  test('is a buffer up to the limit', async () => {
    assert.deepEqual(await collect(bytesOf('ab', 'c'), 3), Buffer.from('abc'));
    assert.deepEqual(await collect(bytesOf(), 3), Buffer.from(''));
  });

  test('is the stream of all its bytes above it, even if only the last ones exceed it', async () => {
    for (const texts of [['ab', 'c', 'd', 'ef'], ['abc', 'd'], ['abcd']]) {
      const source = Readable.from(
        texts.map((text) => Buffer.from(text)),
        { objectMode: false },
      );
      const found = await collect(source, 3);
      assert.equal(found, source);
      assert.equal((await buffer(source)).toString(), texts.join(''));
    }
  });

  test('fails as the stream fails, before and after the limit', async () => {
    const failing = (count: number) =>
      Readable.from(
        (async function* () {
          for (let index = 0; index < count; index += 1) yield Buffer.from('ab');
          throw new Error('lost');
        })(),
        { objectMode: false },
      );
    await assert.rejects(collect(failing(1), 3), /lost/);
    const found = await collect(failing(2), 3);
    assert.ok(found instanceof Readable);
    await assert.rejects(buffer(found), /lost/);
  });
});
