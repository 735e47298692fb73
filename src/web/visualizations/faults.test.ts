import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import { findEncodingFaults } from './faults.ts';

const column = (name: string, type: ColumnType) => ({ name, type, sourceType: type });
const columns = [column('day', 'date'), column('city', 'text'), column('sum', 'decimal')];

test('a drawing that its columns fit has no faults', () => {
  assert.deepEqual(
    findEncodingFaults({ kind: 'bar', x: 'city', series: [{ field: 'sum' }], splitBy: 'day' }, columns),
    [],
  );
  assert.deepEqual(findEncodingFaults({ kind: 'scatter', x: 'day', y: 'sum' }, columns), []);
  assert.deepEqual(findEncodingFaults({ kind: 'text', text: '{{ sum }} in {{city}}' }, columns), []);
});

test('each column that is missing or of another type is told', () => {
  assert.deepEqual(
    findEncodingFaults(
      { kind: 'line', x: 'gone', series: [{ field: 'city' }], sort: { field: 'x', direction: 'ascending' } },
      columns,
    ).map(({ pointer, code }) => [pointer, code]),
    [
      ['/x', 'column'],
      ['/series/0/field', 'columnType'],
      ['/sort/field', 'column'],
    ],
  );
  assert.deepEqual(
    findEncodingFaults({ kind: 'scatter', x: 'city', y: 'sum' }, columns).map(({ message }) => message),
    ['must be a column of numbers, dates or times; the column is text'],
  );
});
