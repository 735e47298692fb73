import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cartesianChart } from '../cartesian/option.ts';
import type { Cartesian } from '../cartesian/kind.ts';
import { lightTheme } from '../drawing/palette.ts';
import { dataOf, partsOf, seriesOf } from '../drawing/parts.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import { withAnnotations } from './annotations.ts';
import { rangeOfMarks } from './range-of-marks.ts';
import { rangeOfText, rangeToText } from './range.ts';
import { zoomed } from './zoom.ts';

const result = {
  columns: [
    { name: 'month', type: 'date', sourceType: '' },
    { name: 'amount', type: 'integer', sourceType: '' },
  ],
  rows: [1, 2, 3, 4, 5, 6].map((month) => [`2026-0${month}-01`, month]),
} as const;
const line: Cartesian = { kind: 'line', x: 'month', series: [{ field: 'amount' }] };
const chartOf = (visualization: Cartesian) =>
  cartesianChart(visualization, result, lightTheme, createValueColors());
const range = rangeOfText('2026-03-01..2026-04-15');

const valuesOf = (visualization: Cartesian, index: 0 | 1) =>
  seriesOf(zoomed(chartOf(visualization), range)).map((series) =>
    dataOf(series).map((point) => (point as readonly unknown[])[index]),
  );

test('a line shows the points of the range, and leads to those beside it', () => {
  assert.deepEqual(valuesOf(line, 1), [['-', 2, 3, 4, 5, '-']]);
});

test('bars are only those of the range, also horizontal ones', () => {
  assert.deepEqual(valuesOf({ ...line, kind: 'bar' }, 1), [['-', '-', 3, 4, '-', '-']]);
  assert.deepEqual(valuesOf({ ...line, kind: 'bar', isHorizontal: true }, 0), [['-', '-', 3, 4, '-', '-']]);
});

test('the axis has the ends of the range, and only marks within it can be chosen', () => {
  const chart = zoomed(chartOf(line), range);
  const [axis] = [chart.option.xAxis ?? []].flat() as { readonly min: number; readonly max: number }[];
  assert.deepEqual([axis?.min, axis?.max], [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 15)]);
  assert.deepEqual(
    partsOf(chart).map(({ dataIndex }) => dataIndex),
    [2, 3],
  );
});

test('reference lines stay, and annotations are those of the range', () => {
  const chart = zoomed(chartOf({ ...line, referenceLines: [{ value: 9 }] }), range);
  const annotated = withAnnotations(
    chart,
    [
      { key: 'a', from: '2026-01-15', text: 'Before' },
      { key: 'b', from: '2026-03-15', text: 'Within' },
    ],
    lightTheme,
  );
  assert.equal(seriesOf(annotated).length, 3);
  assert.match(annotated.descriptions?.at(-1) ?? '', /^Annotations: [^;]*: Within\.$/);
});

test('a chart without times stays as it is', () => {
  const chart = chartOf({ ...line, xAxis: { scale: 'category' } });
  assert.equal(zoomed(chart, range), chart);
  assert.equal(zoomed(chart, undefined), chart);
});

for (const [what, indexes, text] of [
  ['one month', [2], '2026-03-01..2026-04-01'],
  ['several months', [4, 1], '2026-02-01..2026-06-01'],
  ['the last month', [5], '2026-06-01..2026-07-02'],
] as const) {
  test(`the range of ${what} is from its start to the next one`, () => {
    const chart = chartOf(line);
    const marks = indexes.flatMap((index) => chart.markAt(0, index) ?? []);
    const found = rangeOfMarks(line, result, marks);
    assert.equal(found && rangeToText(found), text);
  });
}

test('marks of a chart without times have no range', () => {
  const chart = chartOf(line);
  const [mark] = [chart.markAt(0, 0)].flatMap((one) => one ?? []);
  assert.ok(mark);
  assert.equal(rangeOfMarks({ kind: 'pie', category: 'month', value: 'amount' }, result, [mark]), undefined);
  assert.equal(rangeOfMarks({ ...line, x: 'amount' }, result, [mark]), undefined);
});
