import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chart } from './chart.ts';
import { lightTheme as theme } from './palette.ts';
import { withPatterns } from './patterns.ts';
import { dataOf, seriesOf } from './parts.ts';

const [blue = '', orange = '', green = ''] = theme.colors;

const chartOf = (series: object[], colors: readonly string[]): Chart => ({
  option: { series },
  markAt: () => undefined,
  legend: { items: colors.map((color) => ({ name: color, color })) },
  notes: [],
});

/** Returns what distinguishes each series. */
const looks = (chart: Chart) =>
  seriesOf(withPatterns(chart, theme)).map((one) => {
    const { itemStyle, lineStyle, symbol } = one as {
      itemStyle?: { decal?: object };
      lineStyle?: { type?: unknown };
      symbol?: string;
    };
    return JSON.stringify([itemStyle?.decal, lineStyle?.type, symbol]);
  });

test('each color of a legend has a pattern of its own, and the first has none', () => {
  const bars = chartOf(
    [blue, orange, green].map((color) => ({ type: 'bar', color, data: [1] })),
    [blue, orange, green],
  );
  assert.equal(new Set(looks(bars)).size, 3);
  assert.equal(looks(bars)[0], '[null,null,null]');
  assert.deepEqual(
    withPatterns(bars, theme).legend?.items.map(({ pattern }) => pattern),
    [0, 1, 2],
  );
});

test('lines have dashes and symbols, and slices the pattern of their color', () => {
  const lines = chartOf(
    [blue, orange].map((color) => ({ type: 'line', color, data: [[1, 2]] })),
    [blue, orange],
  );
  assert.equal(new Set(looks(lines)).size, 2);
  const slices = [orange, blue].map((color) => ({ value: 1, itemStyle: { color } }));
  const [pie] = seriesOf(withPatterns(chartOf([{ type: 'pie', data: slices }], [blue, orange]), theme));
  const [first, second] = dataOf(pie ?? {}) as { itemStyle: { decal?: object; color: string } }[];
  assert.ok(first?.itemStyle.decal !== undefined && first.itemStyle.color === orange);
  assert.equal(second?.itemStyle.decal, undefined);
});

test('a chart without a legend, and one with a single color, stay as they are', () => {
  const single = chartOf([{ type: 'bar', color: orange }], [orange]);
  assert.equal(withPatterns(single, theme), single);
  const bare: Chart = { option: {}, markAt: () => undefined, notes: [] };
  assert.equal(withPatterns(bare, theme), bare);
});

test('the lines and notes of a chart have no symbols', () => {
  const [invisible] = seriesOf(chartOf([{ type: 'line', silent: true, symbol: 'none', data: [[1, 2]] }], []));
  const chart = chartOf([{ type: 'line', color: blue, data: [[1, 2]] }, invisible ?? {}], [blue, orange]);
  assert.deepEqual(seriesOf(withPatterns(chart, theme))[1], invisible);
});

test('rectangles in groups have the pattern of their color', () => {
  const children = [orange, blue].map((color) => ({ value: 1, itemStyle: { color } }));
  const [treemap] = seriesOf(
    withPatterns(chartOf([{ type: 'treemap', data: [{ name: 'A', children }] }], [blue, orange]), theme),
  );
  const [group] = dataOf(treemap ?? {}) as { children: { itemStyle: { decal?: object } }[] }[];
  assert.deepEqual(
    group?.children.map(({ itemStyle }) => itemStyle.decal !== undefined),
    [true, false],
  );
});
