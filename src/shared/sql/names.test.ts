import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteName, writeName } from './names.ts';

const names = ['sales', 'Sales', 'order', 'a b', 'a"b', '1a'];

test('a name is quoted as people write it only where it has to be', () => {
  const needed = ['"Sales"', '"order"', '"a b"', '"a""b"', '"1a"'];
  assert.deepEqual(names.map(writeName), ['sales', ...needed]);
  assert.deepEqual(names.map(quoteName), ['"sales"', ...needed]);
});
