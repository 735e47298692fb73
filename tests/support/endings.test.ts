import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEndOf, endAll, type Owner } from './endings.ts';

test('what was started for a test ends, the last one first, whatever the ends of the others throw', async () => {
  const hooks: (() => unknown)[] = [];
  // Sound because a hook is only called without anything here.
  const owner: Owner = { after: (hook) => void hooks.push(hook as () => unknown) };
  const ended: string[] = [];
  const failure = new Error('the server logged errors');
  atEndOf(owner, () => void ended.push('directory'));
  atEndOf(owner, async () => Promise.reject(failure));
  atEndOf(owner, () => void ended.push('browser'));
  assert.equal(hooks.length, 1);
  await assert.rejects(async () => hooks[0]?.(), failure);
  assert.deepEqual(ended, ['browser', 'directory']);
  const fail = () => {
    throw failure;
  };
  await assert.rejects(endAll([fail, fail]), { name: 'AggregateError', errors: [failure, failure] });
});
