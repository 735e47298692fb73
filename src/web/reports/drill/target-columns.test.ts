import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOfQuery } from './target-columns.ts';

test('a query is bound to the columns that it refers to, with their types', () => {
  const columns = [
    { name: 'region', type: 'text', sourceType: '' },
    { name: 'n', type: 'integer', sourceType: '' },
    { name: 'at', type: 'instant', sourceType: '' },
  ] as const;
  const query = 'SELECT {{region}}, {{n}}, {{at}}, {{old}}, {{since}}';
  assert.deepEqual(columnsOfQuery(query, { columns }, { old: 'date', unused: 'text' }), {
    region: 'list',
    n: 'number',
    at: 'datetime',
    old: 'date',
  });
});
