import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Annotation } from '#shared/annotations/annotations.ts';
import { cartesianChart } from '../cartesian/option.ts';
import { lightTheme } from '../drawing/palette.ts';
import { seriesOf } from '../drawing/parts.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import type { Cartesian } from '../cartesian/kind.ts';
import { annotationTimeText, withAnnotations } from './annotations.ts';

const result = {
  columns: [
    { name: 'day', type: 'date', sourceType: '' },
    { name: 'amount', type: 'integer', sourceType: '' },
  ],
  rows: [
    ['2026-01-01', 3],
    ['2026-02-01', 5],
    ['2026-03-01', 4],
  ],
} as const;

const chartWith = (annotations: readonly Annotation[], visualization: Partial<Cartesian> = {}) =>
  withAnnotations(
    cartesianChart(
      { kind: 'line', x: 'day', series: [{ field: 'amount' }], ...visualization },
      result,
      lightTheme,
      createValueColors(),
    ),
    annotations,
    lightTheme,
  );

const release: Annotation = { key: 'a', from: '2026-01-20', text: 'Release', color: '4' };
const sale: Annotation = { key: 'b', from: '2026-02-25', to: '2026-04-05', text: 'Sale' };

test('annotations are lines and areas on the axis of times, as far as it reaches', () => {
  const before = chartWith([]);
  const chart = chartWith([release, sale]);
  const series = seriesOf(chart);
  assert.equal(series.length, seriesOf(before).length + 1);
  const { markLine, markArea } = series.at(-1) as {
    readonly markLine: { readonly data: readonly { readonly xAxis: number }[] };
    readonly markArea: { readonly data: readonly (readonly { readonly xAxis: number }[])[] };
  };
  const daysOf = (points: readonly { readonly xAxis: number }[]) =>
    points.map(({ xAxis }) => new Date(xAxis).toISOString().slice(0, 10));
  assert.deepEqual(daysOf(markLine.data), ['2026-01-20', '2026-02-25']);
  assert.deepEqual(markArea.data.map(daysOf), [['2026-02-25', '2026-03-01']]);
  assert.deepEqual(chart.markAt(0, 1)?.rows, before.markAt(0, 1)?.rows);
});

test('the tooltip of the closest point has their texts, and so has the description', () => {
  const chart = chartWith([release, sale]);
  const linesAt = (dataIndex: number) =>
    chart.tooltip?.contentOf([{ seriesIndex: 0, dataIndex }])?.lines.map(({ label }) => label);
  assert.deepEqual([0, 1, 2].map(linesAt), [['amount'], ['Release', 'amount'], ['Sale', 'amount']]);
  assert.match(chart.descriptions?.join() ?? '', /^Annotations: .*2026.*: Release; .*2026.*: Sale\.$/);
});

test('annotations outside of the axis are left out, and so are all in a chart without times', () => {
  const outside: Annotation = { ...release, from: '2025-12-31' };
  assert.deepEqual(chartWith([outside]).descriptions, undefined);
  assert.deepEqual(chartWith([release], { xAxis: { scale: 'category' } }).descriptions, undefined);
});

test('the bars of a horizontal chart have their annotations on the vertical axis', () => {
  const chart = chartWith([release], { kind: 'bar', isHorizontal: true });
  const { markLine } = seriesOf(chart).at(-1) as { readonly markLine: { readonly data: readonly object[] } };
  assert.ok('yAxis' in (markLine.data[0] ?? {}));
});

for (const [annotation, text] of [
  [release, 'Jan 20, 2026'],
  [sale, 'Feb 25 – Apr 5, 2026'],
] as const) {
  test(`the time of an annotation is written as ${text}`, () => {
    assert.equal(annotationTimeText(annotation, 'en-US').replaceAll('\u2009', ' '), text);
  });
}
