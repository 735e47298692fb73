import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeriesOption } from 'echarts';
import type { Chart } from './chart.ts';
import { withEmphasis } from './emphasis.ts';

const regions = ['north', 'south'];

const chartOf = (type: 'bar' | 'line', data: unknown[][]): Chart => ({
  // Sound because the tests only use these types with pairs of numbers.
  option: { series: data.map((points) => ({ type, data: points }) as SeriesOption) },
  fields: ['region'],
  pickedAt: (seriesIndex, dataIndex) => [
    { field: 'region', value: regions[type === 'line' ? seriesIndex : dataIndex] },
  ],
  notes: [],
});
const isSouth = (_: string, value: unknown) => value === 'south';

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
  for (const isPicked of [undefined, () => undefined, () => false]) {
    assert.equal(withEmphasis(chart, isPicked), chart.option);
  }
});
