import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamedKeys } from './key-names.ts';

const tableOf = (name: string, columns: readonly string[], primaryKey?: readonly string[]) => ({
  schema: 'main',
  name,
  columns: columns.map((column) => ({ name: column, type: 'integer' as const })),
  ...(primaryKey && { primaryKey }),
});

test('the names of columns show what they refer to', () => {
  const cases: [
    column: string,
    table: string,
    columns: string[],
    key: string[] | undefined,
    found: string,
  ][] = [
    ['customer_id', 'customers', ['id'], undefined, 'id'],
    ['CustomerID', 'Customer', ['ID'], undefined, 'ID'],
    ['customer_id', 'customers', ['customer_id'], undefined, 'customer_id'],
    ['customer_id', 'customers', ['customer_id', 'id'], ['id'], 'id (key)'],
    ['customer_id', 'customers', ['customer_id', 'name'], ['customer_id'], 'customer_id (key)'],
    ['country_code', 'countries', ['code'], ['code'], 'code (key)'],
    ['country_code', 'countries', ['code'], undefined, ''],
    ['box_id', 'boxes', ['id'], undefined, 'id'],
    ['house_id', 'houses', ['id'], undefined, 'id'],
    ['address_id', 'addresses', ['id'], undefined, 'id'],
    ['customers_id', 'customers', ['id'], undefined, 'id'],
    ['customer_id', 'customers', ['id', 'version'], ['id', 'version'], ''],
    ['customer_id', 'suppliers', ['id'], undefined, ''],
    ['id', 'customers', ['id'], undefined, ''],
  ];
  for (const [column, table, columns, key, found] of cases) {
    const keys = findNamedKeys(tableOf('orders', ['n', column]), tableOf(table, columns, key));
    const text = keys.map(({ target, isKey }) => `${target}${isKey ? ' (key)' : ''}`).join();
    assert.equal(text, found, `${column} and ${table}`);
  }
});

test('a table can refer to itself, but no column to itself, nor to another schema', () => {
  const categories = tableOf('categories', ['id', 'category_id']);
  assert.deepEqual(findNamedKeys(categories, categories), [
    { column: 'category_id', target: 'id', isKey: false },
  ]);
  const shops = tableOf('shops', ['shop_id'], ['shop_id']);
  assert.deepEqual(findNamedKeys(shops, shops), []);
  assert.deepEqual(findNamedKeys(categories, { ...categories, schema: 'other' }), []);
});
