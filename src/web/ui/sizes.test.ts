import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeInWords } from './sizes.ts';

test('a size is told in the unit that people read it in', () => {
  const words = [0, 812, 1_024, 1_536, 20 * 1024 ** 2, 1.4 * 1024 ** 3, 5_000 * 1024 ** 4].map(sizeInWords);
  assert.deepEqual(words, ['0 B', '812 B', '1.0 KB', '1.5 KB', '20 MB', '1.4 GB', '5000 TB']);
});
