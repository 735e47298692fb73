import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeriesOption } from 'echarts';
import type { Chart } from './chart.ts';
import { markOfRow, stateByPicked } from '../marks/mark.ts';
import { withEmphasis } from './emphasis.ts';

const regions = ['north', 'south'];

const chartOf = (type: 'bar' | 'line', data: unknown[][]): Chart => ({
  // Sound because the tests only use these types with pairs of numbers.
  option: { series: data.map((points) => ({ type, data: points }) as SeriesOption) },
  markAt: (seriesIndex, dataIndex) =>
    markOfRow([region], [], [regions[type === 'line' ? seriesIndex : dataIndex]]),
  notes: [],
});
const region = { name: 'region', type: 'text', sourceType: '', index: 0 } as const;
const isSouth = stateByPicked({ columns: [region] }, new Set(), (_, value) => value === 'south');

test('the bars that are not picked are faint', () => {
  const colored = { value: [1, 4], itemStyle: { color: '#123456' } };
  const chart = chartOf('bar', [[[0, 3], colored]]);
  assert.deepEqual(withEmphasis(chart, isSouth).series, [
    { type: 'bar', data: [{ value: [0, 3], itemStyle: { opacity: 0.3 } }, colored] },
  ]);
});

test('the lines that are not picked are faint', () => {
  const { series } = withEmphasis(chartOf('line', [[[0, 3]], [[0, 4]]]), isSouth);
  const faint = { lineStyle: { opacity: 0.3 }, itemStyle: { opacity: 0.3 } };
  assert.deepEqual(series, [
    { type: 'line', data: [[0, 3]], ...faint },
    { type: 'line', data: [[0, 4]] },
  ]);
});

test('all parts look the same without a filter, or if the chart lacks its value', () => {
  const chart = chartOf('bar', [
    [
      [0, 3],
      [1, 4],
    ],
  ]);
  for (const stateOf of [undefined, () => undefined, () => false]) {
    assert.equal(withEmphasis(chart, stateOf), chart.option);
  }
});

test('a selected point of a line has a symbol, and the line stays', () => {
  const chart = chartOf('line', [[[0, 3]]]);
  const points = {
    ...chart,
    option: {
      series: [
        {
          type: 'line',
          data: [
            [0, 3],
            [1, 4],
          ],
        },
      ],
    },
  } as Chart;
  const markAt = (_: number, dataIndex: number) => markOfRow([region], [], [regions[dataIndex]]);
  assert.deepEqual(withEmphasis({ ...points, markAt }, isSouth).series, [
    {
      type: 'line',
      showSymbol: true,
      data: [
        { value: [0, 3], symbol: 'none', symbolSize: 10 },
        { value: [1, 4], symbol: 'circle', symbolSize: 10 },
      ],
    },
  ]);
});
