import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeriesOption } from 'echarts';
import { seriesOf } from '../drawing/parts.ts';
import { lightTheme } from '../drawing/palette.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import type { Cartesian } from './kind.ts';
import { cartesianChart } from './option.ts';

const result = {
  columns: [
    { name: 'city', type: 'text', sourceType: '' },
    { name: 'sold', type: 'integer', sourceType: '' },
    { name: 'kept', type: 'integer', sourceType: '' },
    { name: 'rate', type: 'double', sourceType: '' },
  ],
  rows: [
    ['Bonn', 3, 1, 0.5],
    ['Ulm', 2, 2, null],
  ],
} as const;

const seriesOfChart = (visualization: Cartesian): readonly SeriesOption[] =>
  seriesOf(cartesianChart(visualization, result, lightTheme, createValueColors()));

const placed = (series: readonly SeriesOption[]) =>
  series.map((one) => {
    const { type, data, stack, yAxisIndex } = one as SeriesOption & { stack?: string; yAxisIndex?: number };
    return { type, data, stack, yAxisIndex };
  });

test('a combo chart has bars and lines, of which only the bars are stacked', () => {
  const series = seriesOfChart({
    kind: 'combo',
    x: 'city',
    stacking: 'stacked',
    series: [
      { field: 'sold' },
      { field: 'kept', shape: 'bar' },
      { field: 'rate', shape: 'line', axis: 'right' },
    ],
  });
  assert.deepEqual(placed(series), [
    {
      type: 'bar',
      data: [
        [0, 3],
        [1, 2],
      ],
      stack: 'bar 0',
      yAxisIndex: undefined,
    },
    {
      type: 'bar',
      data: [
        [0, 1],
        [1, 2],
      ],
      stack: 'bar 0',
      yAxisIndex: undefined,
    },
    {
      type: 'line',
      data: [
        [0, 0.5],
        [1, '-'],
      ],
      stack: undefined,
      yAxisIndex: 1,
    },
  ]);
});

test('with 100% stacking, the series of each axis add up to the whole', () => {
  const series = seriesOfChart({
    kind: 'bar',
    x: 'city',
    stacking: 'percent',
    series: [{ field: 'sold' }, { field: 'kept' }, { field: 'rate', axis: 'right' }],
  });
  assert.deepEqual(
    series.map(({ data }) => data),
    [
      [
        [0, 0.75],
        [1, 0.5],
      ],
      [
        [0, 0.25],
        [1, 0.5],
      ],
      [
        [0, 1],
        [1, 0],
      ],
    ],
  );
});
