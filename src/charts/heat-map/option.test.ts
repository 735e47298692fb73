import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightTheme as theme } from '../drawing/palette.ts';
import { dataOf, seriesOf } from '../drawing/parts.ts';
import type { OfKind } from '../kind.ts';
import { heatMapChart } from './option.ts';

const settings: OfKind<'heatMap'> = { kind: 'heatMap', x: 'x', y: 'y', value: 'n' };

const resultOf = (columns: number, rows: number) => ({
  columns: ['x', 'y', 'n'].map((name) => ({ name, type: 'integer' as const, sourceType: '' })),
  rows: Array.from({ length: columns * rows }, (_, index) => [
    index % columns,
    Math.floor(index / columns),
    index,
  ]),
});

test('a heat map has at most 200 columns and 100 rows, and says so', () => {
  const chart = heatMapChart(settings, resultOf(250, 120), theme);
  const [series = {}] = seriesOf(chart);
  assert.equal(dataOf(series).length, 20_000);
  assert.deepEqual(chart.markAt(0, 19_999)?.rows, [[199, 99, 99 * 250 + 199]]);
  assert.deepEqual(chart.notes, [
    'Showing the first 200 of 250 values of x.',
    'Showing the first 100 of 120 values of y.',
  ]);
  assert.deepEqual(heatMapChart(settings, resultOf(200, 100), theme).notes, []);
});

test('the label of a cell is readable on its color', () => {
  for (const thresholds of [
    undefined,
    [
      { from: 0, color: '#000000' },
      { from: 2, color: '#ffff00' },
    ],
  ]) {
    const chart = heatMapChart(
      { ...settings, hasDataLabels: true, ...(thresholds && { thresholds }) },
      resultOf(2, 2),
      theme,
    );
    const [series = {}] = seriesOf(chart);
    const colors = dataOf(series).map((cell) => (cell as { label: { color: string } }).label.color);
    assert.deepEqual(
      [colors[0], colors[3]],
      thresholds === undefined ? [theme.text, '#ffffff'] : ['#ffffff', theme.text],
    );
  }
});

test('a heat map with more than 500 cells has no labels, and says so', () => {
  const chart = heatMapChart({ ...settings, hasDataLabels: true }, resultOf(30, 20), theme);
  assert.deepEqual(chart.notes, ['Too many values to label each of them.']);
});
