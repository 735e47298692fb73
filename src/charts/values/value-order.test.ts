import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import { orderRows } from './value-order.ts';

function inOrder(type: ColumnType, values: unknown[], direction: 'ascending' | 'descending'): unknown[] {
  const columns = [{ name: 'v', type, sourceType: '' }];
  const rows = values.map((value) => [value]);
  return orderRows({ columns, rows }, { field: 'v', direction }).map(([value]) => value);
}

test('rows are sorted by numbers, texts or times, and missing values are last', () => {
  assert.deepEqual(inOrder('integer', [10, null, 9, -1], 'ascending'), [-1, 9, 10, null]);
  assert.deepEqual(inOrder('integer', [10, null, 9, -1], 'descending'), [10, 9, -1, null]);
  assert.deepEqual(inOrder('integer', ['9007199254740995', '9007199254740993', 1], 'descending'), [
    '9007199254740995',
    '9007199254740993',
    1,
  ]);
  assert.deepEqual(inOrder('text', ['b', 'a10', 'a9', 'B'], 'ascending'), ['a9', 'a10', 'b', 'B']);
  assert.deepEqual(inOrder('date', ['2001-10-01', '2001-09-30'], 'ascending'), ['2001-09-30', '2001-10-01']);
  assert.deepEqual(inOrder('boolean', [true, false], 'ascending'), [false, true]);
});

test('rows without the column stay in their order', () => {
  const rows = [[2], [1]];
  const columns = [{ name: 'v', type: 'integer', sourceType: '' } as const];
  assert.equal(orderRows({ columns, rows }, { field: 'w', direction: 'ascending' }), rows);
  assert.equal(orderRows({ columns, rows }, undefined), rows);
});
