import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightTheme } from '../drawing/palette.ts';
import { dataOf, seriesOf } from '../drawing/parts.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import type { DataLabels } from './data-labels.ts';
import { cartesianChart } from './option.ts';

const chartOf = (kind: 'line' | 'bar', dataLabels: DataLabels, values: readonly (number | null)[]) =>
  cartesianChart(
    { kind, x: 'at', series: [{ field: 'value' }], dataLabels },
    {
      columns: [
        { name: 'at', type: 'text', sourceType: '' },
        { name: 'value', type: 'double', sourceType: '' },
      ],
      rows: values.map((value, index) => [`at ${index}`, value]),
    },
    lightTheme,
    createValueColors(),
  );

interface Label {
  readonly label?: { readonly formatter: () => string; readonly position: string };
}

/** Returns the labels of the points, each with its position. */
const labelsOf = (...options: Parameters<typeof chartOf>): string[] =>
  seriesOf(chartOf(...options))
    .flatMap(dataOf)
    // Sound because only points with labels are objects with this member.
    .flatMap((point) => (point as Label).label ?? [])
    .map(({ formatter, position }) => `${formatter()} ${position}`);

const values = [4, null, 12_345, -0.25, 7];

const cases: readonly [kind: 'line' | 'bar', labels: DataLabels, expected: readonly string[]][] = [
  ['line', 'none', []],
  ['line', 'all', ['4 top', '12.3K top', '-0.25 top', '7 top']],
  ['line', 'last', ['7 top']],
  ['line', 'extremes', ['12.3K top', '-0.25 bottom']],
  ['bar', 'extremes', ['12.3K top', '-0.25 bottom']],
];

for (const [kind, labels, expected] of cases) {
  test(`a ${kind} chart with the labels “${labels}” has ${expected.length}`, () => {
    assert.deepEqual(labelsOf(kind, labels, values), expected);
  });
}

test('a chart of equal values has one label for both extremes', () => {
  assert.deepEqual(labelsOf('line', 'extremes', [5, 5, 5]), ['5 bottom']);
});

test('more than 500 values have no labels, and a note says so', () => {
  const many = Array.from({ length: 501 }, (_, index) => index);
  assert.deepEqual(labelsOf('line', 'all', many), []);
  assert.deepEqual(chartOf('line', 'all', many).notes, ['Too many values to label each of them.']);
  assert.deepEqual(labelsOf('line', 'last', many), ['500 top']);
});

test('a line with many points has a symbol at each of its labels, without which there would be none', () => {
  const rows = Array.from({ length: 100 }, (_, index) => [`c${index}`, index]);
  const columns = [
    { name: 'c', type: 'text' as const, sourceType: '' },
    { name: 'n', type: 'integer' as const, sourceType: '' },
  ];
  const { option } = cartesianChart(
    { kind: 'line', x: 'c', series: [{ field: 'n' }], dataLabels: 'last' },
    { columns, rows },
    lightTheme,
    createValueColors(),
  );
  const [line] = [option.series ?? []].flat() as { showSymbol: boolean; data: { symbol?: string }[] }[];
  assert.equal(line?.showSymbol, true);
  assert.deepEqual(
    line.data.flatMap(({ symbol }, index) => (symbol === 'none' ? [] : [index])),
    [99],
  );
});
