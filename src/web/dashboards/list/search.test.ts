import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListSearch } from './search.ts';

test('only known parameters with valid values are read from the URL of a list', () => {
  assert.deepEqual(readListSearch({}), {});
  const whole = { q: 'sales', show: 'starred', sort: 'name', folder: 'f', open: 'new' };
  assert.deepEqual(readListSearch({ ...whole, page: '3' }), whole);
  assert.deepEqual(readListSearch({ q: '', show: 'all', sort: ['name'], folder: '', open: 'old' }), {});
  assert.deepEqual(readListSearch({ q: 'x'.repeat(300) }), { q: 'x'.repeat(200) });
});
