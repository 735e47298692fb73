import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteIfNeeded, quoteName } from './names.ts';

const names = ['sales', 'Sales', 'order', 'a b', 'a"b', '1a'];

test('a name is quoted only if necessary, or always', () => {
  const needed = ['"Sales"', '"order"', '"a b"', '"a""b"', '"1a"'];
  assert.deepEqual(names.map(quoteIfNeeded), ['sales', ...needed]);
  assert.deepEqual(names.map(quoteName), ['"sales"', ...needed]);
});
