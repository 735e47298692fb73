import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestRelationships } from './suggestions.ts';

const column = (name: string, type: 'integer' | 'text' = 'integer') => ({ name, type, sourceType: type });
const tableOf = (name: string, ...columns: ReturnType<typeof column>[]) => ({
  schema: 'main',
  name,
  columns,
});

const orders = tableOf(
  'orders',
  column('id'),
  column('customer_id'),
  column('category_id', 'text'),
  column('companyid'),
);
const tables = [
  orders,
  tableOf('customers', column('id')),
  tableOf('categories', column('id')),
  tableOf('company', column('id')),
  { ...tableOf('customer', column('id')), schema: 'other' },
];

test('names of columns suggest relationships to columns of the same type', () => {
  assert.deepEqual(suggestRelationships(orders, tables, []), [
    {
      name: 'customers',
      columns: ['customer_id'],
      references: { schema: 'main', name: 'customers', columns: ['id'] },
    },
    {
      name: 'company',
      columns: ['companyid'],
      references: { schema: 'main', name: 'company', columns: ['id'] },
    },
  ]);
});

test('foreign keys are suggested first, and what is known is left out', () => {
  const foreignKeys = [
    { columns: ['companyid'], schema: 'main', table: 'customers', otherColumns: ['id'] },
    { columns: ['customer_id'], schema: 'main', table: 'customers', otherColumns: ['id'] },
  ];
  const references = { schema: 'main', name: 'company', columns: ['id'] };
  const known = [{ name: 'customers', columns: ['companyid'], references }];
  assert.deepEqual(
    suggestRelationships({ ...orders, foreignKeys }, tables, known).map(({ name, columns }) => [
      name,
      columns,
    ]),
    [
      ['customers by companyid', ['companyid']],
      ['customers by customer_id', ['customer_id']],
    ],
  );
});
