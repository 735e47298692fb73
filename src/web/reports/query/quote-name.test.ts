import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteName, tableInQuery } from './quote-name.ts';

test('a name is quoted where it has to be', () => {
  assert.deepEqual(['sales', 'Sales', 'order', 'a b', 'a"b', '1a'].map(quoteName), [
    'sales',
    '"Sales"',
    '"order"',
    '"a b"',
    '"a""b"',
    '"1a"',
  ]);
});

test('a table is called with its schema, but in the one that is looked in anyway', () => {
  assert.equal(tableInQuery({ schema: 'main', name: 'sales' }), 'sales');
  assert.equal(tableInQuery({ schema: 'public', name: 'Sales' }), '"Sales"');
  assert.equal(tableInQuery({ schema: 'shop', name: 'user' }), 'shop."user"');
});
