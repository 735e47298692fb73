import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialect as files } from '../../data-sources/kinds/files/dialect.ts';
import { dialect as postgresql } from '../../data-sources/kinds/postgresql/dialect.ts';
import { tableInQuery } from './table-name.ts';

test('a table is written with its schema, unless that is the default', () => {
  assert.equal(tableInQuery(files, { schema: 'main', name: 'sales' }), 'sales');
  assert.equal(tableInQuery(postgresql, { schema: 'public', name: 'Sales' }), '"Sales"');
  assert.equal(tableInQuery(postgresql, { schema: 'shop', name: 'user' }), 'shop."user"');
});
