import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  displayNameOf,
  findColumnModel,
  findModel,
  isSameTable,
  joinableTables,
  tableTitle,
  visibleColumns,
  type TableModel,
} from './models.ts';

const orders: TableModel = {
  schema: 'main',
  name: 'orders',
  displayName: 'Orders',
  columns: [
    { name: 'id', isHidden: true },
    { name: 'amount', displayName: 'Amount paid' },
  ],
  relationships: [
    {
      name: 'Customer',
      columns: ['customer_id'],
      references: { schema: 'main', name: 'customers', columns: ['id'] },
    },
  ],
};

describe('a model of a table', () => {
  it('belongs to the table of its schema and name', () => {
    assert.equal(findModel([orders], { schema: 'main', name: 'orders' }), orders);
    assert.equal(findModel([orders], { schema: 'other', name: 'orders' }), undefined);
    assert.equal(isSameTable(orders, { schema: 'main', name: 'Orders' }), false);
    assert.deepEqual(findColumnModel(orders, 'id'), { name: 'id', isHidden: true });
  });

  it('gives tables and columns their display names, and others keep their own', () => {
    const customers = { schema: 'main', name: 'customers' };
    assert.deepEqual([tableTitle(orders, orders), tableTitle(undefined, customers)], ['Orders', 'customers']);
    const names = ['amount', 'id', 'unknown'].map((name) => displayNameOf(orders, name));
    assert.deepEqual(names, ['Amount paid', 'id', 'unknown']);
  });

  it('hides columns', () => {
    const columns = [{ name: 'id' }, { name: 'customer_id' }, { name: 'amount' }];
    assert.deepEqual(visibleColumns(orders, columns), [{ name: 'customer_id' }, { name: 'amount' }]);
    assert.deepEqual(visibleColumns(undefined, columns), columns);
  });

  it('can be joined along its relationships in both directions', () => {
    assert.deepEqual(joinableTables([orders], orders), [
      {
        name: 'Customer',
        table: { schema: 'main', name: 'customers' },
        on: [{ left: 'customer_id', right: 'id' }],
        isToMany: false,
      },
    ]);
    assert.deepEqual(joinableTables([orders], { schema: 'main', name: 'customers' }), [
      {
        name: 'Customer',
        table: { schema: 'main', name: 'orders' },
        on: [{ left: 'id', right: 'customer_id' }],
        isToMany: true,
      },
    ]);
  });
});
