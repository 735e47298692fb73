import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createQueryOutput } from './output.ts';

test('the output of a worker is flushed when its reader has read the last bytes', async () => {
  let take: () => void = () => assert.fail('Nothing was written');
  const pipe = new Writable({
    write: (_bytes, _encoding, done) => {
      take = done;
    },
  });
  const output = createQueryOutput(() => pipe);
  await output.write('few');
  let isFlushed = false;
  const flushed = output.flush().then(() => {
    isFlushed = true;
  });
  await new Promise(setImmediate);
  assert.equal(isFlushed, false);
  take();
  await new Promise(setImmediate);
  take();
  await new Promise(setImmediate);
  assert.equal(isFlushed, true);
  await flushed;
  assert.equal(output.byteCount(), 3);
});

test('an output is flushed at once if nothing was written', () =>
  createQueryOutput(() => assert.fail('The pipe was opened')).flush());
