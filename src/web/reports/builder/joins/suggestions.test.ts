import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { TableModel } from '#shared/models.ts';
import type { ColumnType } from '#shared/columns.ts';
import { newJoin, suggestJoins } from './suggestions.ts';

const tableOf = (
  name: string,
  columns: Readonly<Record<string, ColumnType>>,
  more: Partial<SourceTable> = {},
): SourceTable => ({
  schema: 'main',
  name,
  columns: Object.entries(columns).map(([name, type]) => ({ name, type, sourceType: type })),
  ...more,
});

const orders = tableOf('orders', { id: 'integer', customer_id: 'integer', city: 'text' });
const customers = tableOf('customers', { id: 'integer', name: 'text' });
const inWords = (from: SourceTable, tables: readonly SourceTable[], models: readonly TableModel[] = []) =>
  suggestJoins({ table: from }, tables, models).map(
    ({ table, on, isToMany }) =>
      `${table.name}: ${on.map(({ left, right }) => `${left.name} = ${right}`).join(', ')} (${String(isToMany)})`,
  );

test('columns that are named after a table suggest a join with its key, from both sides', () => {
  const tables = [orders, customers];
  assert.deepEqual(inWords(orders, tables), ['customers: customer_id = id (undefined)']);
  assert.deepEqual(inWords(customers, tables), ['orders: id = customer_id (true)']);
  const keyed = { ...customers, primaryKey: ['id'] };
  assert.deepEqual(inWords(orders, [orders, keyed]), ['customers: customer_id = id (false)']);
  const countries = tableOf('countries', { id: 'integer' });
  const cities = tableOf('cities', { country_id: 'integer' });
  assert.deepEqual(inWords(cities, [cities, countries]), ['countries: country_id = id (undefined)']);
});

test('columns of different types, and a join that the query already has, are not suggested', () => {
  const other = tableOf('customers', { id: 'text' });
  assert.deepEqual(inWords(orders, [orders, other]), []);
  const on = [{ left: { name: 'customer_id' }, right: 'id' }];
  const joined = { table: orders, joins: [newJoin({ table: orders }, customers, on)] };
  assert.deepEqual(
    suggestJoins(joined, [orders, customers], []).filter(({ table }) => table === customers),
    [],
  );
});

test('declared keys and relationships come first, each once', () => {
  const keyed: SourceTable = {
    ...orders,
    foreignKeys: [{ columns: ['customer_id'], schema: 'main', table: 'customers', otherColumns: ['id'] }],
  };
  assert.deepEqual(inWords(keyed, [keyed, customers]), ['customers: customer_id = id (false)']);
  assert.deepEqual(inWords(customers, [keyed, customers]), ['orders: id = customer_id (true)']);
  const places = tableOf('places', { label: 'text' });
  const model: TableModel = {
    schema: 'main',
    name: 'orders',
    relationships: [
      {
        name: 'place',
        columns: ['city'],
        references: { schema: 'main', name: 'places', columns: ['label'] },
      },
    ],
  };
  assert.deepEqual(inWords(orders, [orders, places], [model]), ['places: city = label (false)']);
});

test('a table that is joined twice gets another name', () => {
  const first = newJoin({ table: orders }, customers, []);
  assert.equal(first.as, 'customers');
  assert.equal(newJoin({ table: orders, joins: [first] }, customers, []).as, 'customers_2');
});
