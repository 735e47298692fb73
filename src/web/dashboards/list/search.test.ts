import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListSearch } from './search.ts';

test('the address of a list keeps what it knows, and drops all else', () => {
  assert.deepEqual(readListSearch({}), {});
  const whole = { q: 'sales', show: 'starred', sort: 'name', open: 'new' };
  assert.deepEqual(readListSearch({ ...whole, page: '3' }), whole);
  assert.deepEqual(readListSearch({ q: '', show: 'all', sort: ['name'], open: 'old' }), {});
  assert.deepEqual(readListSearch({ q: 'x'.repeat(300) }), { q: 'x'.repeat(200) });
});
