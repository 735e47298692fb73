import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormatter } from '../values/formats.ts';
import { lightTheme } from '../drawing/palette.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import { cartesianChart } from './option.ts';
import type { Cartesian } from './kind.ts';
import { placeLines, type ReferenceLine } from './reference-lines.ts';

const numbers = [4, 1, 2, 3, 10];
const values = {
  of: (field: string | undefined) => (field === 'other' ? [100, 300] : field === 'none' ? [] : numbers),
  format: createFormatter({ type: 'double' }),
  isLog: false,
};

const cases: readonly [line: ReferenceLine, expected: string | undefined][] = [
  [{ value: 1_000, label: 'Goal' }, '1000 Goal: 1,000'],
  [{ value: 0 }, '0 0'],
  [{ value: { statistic: 'average' } }, '4 Average: 4'],
  [{ value: { statistic: 'median' } }, '3 Median: 3'],
  [{ value: { statistic: 'min' } }, '1 Minimum: 1'],
  [{ value: { statistic: 'max' }, label: 'Peak' }, '10 Peak: 10'],
  [{ value: { statistic: 'percentile' } }, '7.6000000000000005 Percentile 90: 7.6'],
  [{ value: { statistic: 'percentile', percentile: 25 } }, '2 Percentile 25: 2'],
  [{ value: { statistic: 'average', field: 'other' } }, '200 Average: 200'],
  [{ value: { statistic: 'average', field: 'none' } }, undefined],
  [{ value: 20, to: 5, label: 'Usual' }, '5–20 Usual: 5 – 20'],
  [{ value: { statistic: 'min' }, to: { statistic: 'max' } }, '1–10 1 – 10'],
  [{ value: 5, to: { statistic: 'max', field: 'none' } }, undefined],
];

for (const [line, expected] of cases) {
  test(`${JSON.stringify(line)} is ${expected === undefined ? 'left out' : `at ${expected}`}`, () => {
    const placed = placeLines([line], values).map(
      ({ from, to, text }) => `${from}${to === undefined ? '' : `–${to}`} ${text}`,
    );
    assert.deepEqual(placed, expected === undefined ? [] : [expected]);
  });
}

test('a logarithmic axis has no lines at zero or below', () => {
  const lines = [{ value: 0 }, { value: -1, to: 5 }, { value: 5 }];
  assert.deepEqual(
    placeLines(lines, { ...values, isLog: true }).map(({ from }) => from),
    [5],
  );
});

test('the average of huge numbers is finite', () => {
  const huge = { ...values, of: () => [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE] };
  const [line] = placeLines([{ value: { statistic: 'average' } }], huge);
  assert.ok(Math.abs((line?.from ?? 0) / (Number.MAX_VALUE / 3) - 1) < 1e-9);
});

const result = {
  columns: [
    { name: 'city', type: 'text', sourceType: '' },
    { name: 'sold', type: 'integer', sourceType: '' },
    { name: 'kept', type: 'integer', sourceType: '' },
  ],
  rows: [
    ['Bonn', 3, 1],
    ['Ulm', 5, 1],
  ],
} as const;

const descriptionsOf = (visualization: Cartesian) =>
  cartesianChart(visualization, result, lightTheme, createValueColors()).descriptions;

const average: ReferenceLine = { value: { statistic: 'average' } };

test('lines are described for people who use a screen reader', () => {
  const series = [{ field: 'sold' }, { field: 'kept', axis: 'right' as const }];
  const referenceLines = [average, { ...average, axis: 'right' as const }, { value: 9, label: 'Goal' }];
  assert.deepEqual(descriptionsOf({ kind: 'bar', x: 'city', series, referenceLines }), [
    'Reference lines: Average: 4; Goal: 9; Average: 1.',
  ]);
});

test('the statistics of stacked series are those of their totals, or of one series', () => {
  const series = [{ field: 'sold' }, { field: 'kept' }];
  const referenceLines: ReferenceLine[] = [average, { value: { statistic: 'average', field: 'sold' } }];
  assert.deepEqual(descriptionsOf({ kind: 'bar', x: 'city', series, stacking: 'stacked', referenceLines }), [
    'Reference lines: Average: 5; Average: 4.',
  ]);
});

test('a chart without values has no lines', () => {
  const empty = { ...result, rows: [['Bonn', null, null]] };
  const visualization: Cartesian = {
    kind: 'line',
    x: 'city',
    series: [{ field: 'sold' }],
    referenceLines: [{ value: 1 }],
  };
  const chart = cartesianChart(visualization, empty, lightTheme, createValueColors());
  assert.deepEqual([chart.descriptions, [chart.option.series ?? []].flat().length], [undefined, 1]);
});
