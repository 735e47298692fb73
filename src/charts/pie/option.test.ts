import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightTheme, restColor } from '../drawing/palette.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import type { OfKind } from '../kind.ts';
import { pieChart } from './option.ts';

const pie: OfKind<'pie'> = { kind: 'pie', category: 'genre', value: 'gross' };
const rows = [
  ['Comedy', 2],
  ['Drama', 50],
  ['Action', 8],
  ['Horror', 40],
];

function slicesOf(visualization: OfKind<'pie'>, shown = rows, colors = createValueColors()) {
  const columns = [
    { name: 'genre', type: 'text', sourceType: '' },
    { name: 'gross', type: 'integer', sourceType: '' },
  ] as const;
  const { option } = pieChart(visualization, { columns, rows: shown }, lightTheme, colors);
  const [series] = [option.series].flat() as { data: Slice[] }[];
  return series?.data ?? [];
}

interface Slice {
  readonly name: string;
  readonly value: number;
  readonly itemStyle: { readonly color: string };
}

const valuesOf = (slices: readonly Slice[]) => slices.map(({ name, value }) => [name, value]);

test('the slices go from the largest to the smallest, unless they have an order', () => {
  assert.deepEqual(
    slicesOf(pie).map(({ name }) => name),
    ['Drama', 'Horror', 'Action', 'Comedy'],
  );
  const byName = { ...pie, sort: { field: 'genre', direction: 'ascending' } } as const;
  assert.deepEqual(
    slicesOf(byName).map(({ name }) => name),
    ['Action', 'Comedy', 'Drama', 'Horror'],
  );
});

test('the largest slices are kept in every order, and the others are combined into the last one', () => {
  assert.deepEqual(valuesOf(slicesOf({ ...pie, maxSlices: 3 })), [
    ['Drama', 50],
    ['Horror', 40],
    ['Other (2)', 10],
  ]);
  const ascending = { field: 'gross', direction: 'ascending' } as const;
  assert.deepEqual(valuesOf(slicesOf({ ...pie, maxSlices: 3, sort: ascending })), [
    ['Horror', 40],
    ['Drama', 50],
    ['Other (2)', 10],
  ]);
});

test('a category has the same color in every order and with other rows, and the rest is gray', () => {
  const colors = createValueColors();
  const colorsOf = (slices: readonly Slice[]) =>
    new Map(slices.map(({ name, itemStyle }) => [name, itemStyle.color]));
  const all = colorsOf(slicesOf(pie, rows, colors));
  assert.equal(new Set(all.values()).size, 4);
  const reversed = colorsOf(slicesOf(pie, rows.toReversed()));
  assert.deepEqual(reversed, all);
  const filtered = colorsOf(slicesOf(pie, rows.slice(2), colors));
  assert.deepEqual(
    [...filtered],
    [
      ['Horror', all.get('Horror')],
      ['Action', all.get('Action')],
    ],
  );
  const rest = colorsOf(slicesOf({ ...pie, maxSlices: 3 }));
  assert.equal(rest.get('Other (2)'), restColor(lightTheme));
});
