import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import type { OfKind } from '../kind.ts';
import { dataSets } from '../../../tests/charts/data-sets.ts';
import { exactSum } from '../values/exact-sum.ts';
import { pivotOf } from './pivot.ts';

const result = {
  columns: [
    { name: 'country', type: 'text', sourceType: '' },
    { name: 'city', type: 'text', sourceType: '' },
    { name: 'year', type: 'integer', sourceType: '' },
    { name: 'sales', type: 'decimal', sourceType: '' },
  ],
  rows: [
    ['DE', 'Bonn', 2026, '0.1'],
    ['DE', 'Bonn', 2026, '0.2'],
    ['DE', 'Bonn', 2025, '5'],
    ['DE', 'Ulm', 2026, null],
    ['AT', 'Wien', 2025, '7'],
    [null, 'Basel', 2025, '-7'],
  ],
} as const;

const pivot: OfKind<'pivot'> = {
  kind: 'pivot',
  rows: ['country'],
  columns: ['year'],
  values: [{ field: 'sales', aggregate: 'sum' }],
};

const tableOf = (settings: Partial<OfKind<'pivot'>>, rows: readonly (readonly unknown[])[] = result.rows) => {
  const made = pivotOf({ ...pivot, ...settings }, { ...result, rows });
  if (made === undefined) return undefined;
  const lines = [...made.lines, ...(made.total === undefined ? [] : [made.total])];
  return [
    [...made.heads, ...made.columns.map(({ label }) => label)],
    ...lines.map((line) => [
      line.isTotal ? `Total ${line.path.join(' ')}`.trim() : line.path.join(' '),
      ...made.columns.map((column) => made.textOf(line, column)),
    ]),
  ];
};

test('a pivot table has exact sums for rows and columns, and the totals of both', () => {
  assert.deepEqual(tableOf({}), [
    ['country', '2025', '2026', 'Total'],
    ['AT', '7', '', '7'],
    ['DE', '5', '0.3', '5.3'],
    ['None', '-7', '', '-7'],
    ['Total', '5', '0.3', '5.3'],
  ]);
  assert.deepEqual(tableOf({ hasTotals: false, columns: [] }), [
    ['country', 'Sum of sales'],
    ['AT', '7'],
    ['DE', '5.3'],
    ['None', '-7'],
  ]);
});

test('several columns become rows with subtotals', () => {
  const rows = ['country', 'city'];
  assert.deepEqual(tableOf({ rows, columns: [] }), [
    ['country', 'city', 'Sum of sales'],
    ['AT Wien', '7'],
    ['Total AT', '7'],
    ['DE Bonn', '5.3'],
    ['DE Ulm', ''],
    ['Total DE', '5.3'],
    ['None Basel', '-7'],
    ['Total None', '-7'],
    ['Total', '5.3'],
  ]);
  assert.deepEqual(tableOf({ rows, columns: [], hasSubtotals: false })?.length, 6);
});

test('values are counted, averaged, and the smallest or largest', () => {
  const values: OfKind<'pivot'>['values'] = [
    { aggregate: 'count' },
    { field: 'sales', aggregate: 'count', label: 'Known' },
    { field: 'sales', aggregate: 'average', format: { kind: 'number', decimals: 2 } },
    { field: 'sales', aggregate: 'min' },
    { field: 'sales', aggregate: 'max' },
  ];
  assert.deepEqual(tableOf({ columns: [], values }), [
    ['country', 'Count', 'Known', 'Average of sales', 'Min of sales', 'Max of sales'],
    ['AT', '1', '1', '7.00', '7', '7'],
    ['DE', '4', '3', '1.77', '0.1', '5'],
    ['None', '1', '1', '-7.00', '-7', '-7'],
    ['Total', '6', '5', '1.06', '-7', '7'],
  ]);
});

test('an empty result has no lines, and a missing column no table', () => {
  assert.deepEqual(tableOf({}, []), [['country']]);
  assert.equal(tableOf({ rows: ['gone'] }), undefined);
  assert.equal(tableOf({ values: [{ field: 'gone', aggregate: 'sum' }] }), undefined);
});

test('the mark of a cell has its rows and the columns that identify it', () => {
  const made = pivotOf(pivot, result);
  const [line, column] = [made?.lines[1], made?.columns[1]];
  assert.ok(made && line && column && made.total);
  const mark = made.markOf(line, column);
  assert.deepEqual(
    [mark?.fields, mark?.measures, mark?.name],
    [['country', 'year'], ['sales'], 'DE · 2026 · 0.3'],
  );
  assert.deepEqual(mark?.rows, [result.rows[0], result.rows[1], result.rows[3]]);
  assert.equal(made.markOf(made.total, made.columns[2] ?? column)?.rows.length, 6);
});

for (const [name, set] of Object.entries(dataSets)) {
  test(`the totals of ${name} data are those of its rows`, () => {
    const cpuMs = watchThreadCpuTime();
    const made = pivotOf(
      {
        kind: 'pivot',
        rows: ['city', 'product'],
        columns: ['day'],
        values: [{ field: 'amount', aggregate: 'sum', format: { kind: 'text' } }],
      },
      set,
    );
    assert.ok(made);
    const leaves = made.lines.filter(({ isTotal }) => !isTotal);
    const total = made.columns.find(({ isTotal }) => isTotal);
    assert.equal(
      leaves.length,
      new Set(set.rows.map(([, city, product]) => `${String(city)} ${String(product)}`)).size,
    );
    if (made.total !== undefined && total !== undefined) {
      assert.equal(made.textOf(made.total, total), exactSum(set.rows.map((row) => row[3])) ?? '');
      const bySubtotal = made.lines.filter(({ isTotal }) => isTotal).map((line) => made.textOf(line, total));
      assert.equal(exactSum(bySubtotal) ?? '', made.textOf(made.total, total));
    } else assert.equal(set.rows.length, 0);
    const days = new Set(set.rows.map(([day]) => day)).size;
    assert.equal(made.columns.filter(({ isTotal }) => !isTotal).length, Math.min(days, 200));
    assert.equal(made.notes.length, days > 200 ? 1 : 0);
    assert.ok(cpuMs() < 8_000);
  });
}
