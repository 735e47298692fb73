import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { boxPlotChart } from '../box-plot/option.ts';
import type { Chart } from '../drawing/chart.ts';
import { lightTheme as theme } from '../drawing/palette.ts';
import { seriesOf } from '../drawing/parts.ts';
import { createValueColors } from '../drawing/value-colors.ts';
import { histogramChart } from '../histogram/option.ts';
import { scatterChart } from '../scatter/option.ts';
import { waterfallChart } from '../waterfall/option.ts';

const result = {
  columns: [
    { name: 'city', type: 'text', sourceType: '' },
    { name: 'n', type: 'integer', sourceType: '' },
    { name: 'day', type: 'date', sourceType: '' },
  ],
  rows: [
    ['Bonn', 10, '2026-01-01'],
    ['Ulm', 20, '2026-01-02'],
    ['Kiel', 60, '2026-01-03'],
  ],
} as const;

function chartOf(visualization: Visualization, rows: readonly (readonly unknown[])[] = result.rows): Chart {
  const shown = { ...result, rows };
  switch (visualization.kind) {
    case 'boxPlot':
      return boxPlotChart(visualization, shown, theme);
    case 'histogram':
      return histogramChart(visualization, shown, theme);
    case 'waterfall':
      return waterfallChart(visualization, shown, theme);
    case 'scatter':
      return scatterChart(visualization, shown, theme, createValueColors());
    default:
      throw new Error(visualization.kind);
  }
}

/** Returns where the lines and bands of a chart are. */
const placesOf = (chart: Chart): unknown[] =>
  seriesOf(chart).flatMap((one) => {
    const { markLine } = one as { readonly markLine?: { readonly data: readonly Record<string, unknown>[] } };
    return (markLine?.data ?? []).map(({ xAxis, yAxis }) =>
      xAxis === undefined ? { y: yAxis } : { x: xAxis },
    );
  });

const average = { value: { statistic: 'average' } } as const;
const goal = { value: 40, label: 'Goal' } as const;

const cases: readonly [Visualization, places: object[], description: string][] = [
  [
    { kind: 'boxPlot', category: 'city', value: 'n', referenceLines: [average, goal] },
    [{ y: 30 }, { y: 40 }],
    'Average: 30; Goal: 40',
  ],
  [
    // The totals after each bar are 10, 30, 90 and 90.
    { kind: 'waterfall', category: 'city', value: 'n', referenceLines: [average, goal] },
    [{ y: 55 }, { y: 40 }],
    'Average: 55; Goal: 40',
  ],
  [
    { kind: 'scatter', x: 'n', y: 'n', referenceLines: [goal, { ...average, axis: 'x' }] },
    [{ x: 30 }, { y: 40 }],
    'Average: 30; Goal: 40',
  ],
  [
    // Times have annotations instead.
    { kind: 'scatter', x: 'day', y: 'n', referenceLines: [goal, { ...average, axis: 'x' }] },
    [{ y: 40 }],
    'Goal: 40',
  ],
  [
    // The second bar is from 20 to 40.
    { kind: 'histogram', value: 'n', bins: 3, referenceLines: [average, { ...goal, axis: 'y' }] },
    [{ x: 1.5 }, { y: 40 }],
    'Average: 30; Goal: 40',
  ],
];

for (const [visualization, places, description] of cases) {
  test(`lines are drawn and described: ${JSON.stringify(visualization)}`, () => {
    const chart = chartOf(visualization);
    assert.deepEqual(placesOf(chart), places);
    assert.deepEqual(chart.descriptions, [`Reference lines: ${description}.`]);
    const lines = seriesOf(chart).length - 1;
    assert.equal(chart.markAt(lines, 0), undefined, 'a line stands for no row');
    assert.equal(chart.tooltip?.contentOf([{ seriesIndex: lines, dataIndex: 0 }]), undefined);
  });

  test(`without values, there are no lines: ${JSON.stringify(visualization)}`, () => {
    const chart = chartOf(visualization, []);
    assert.deepEqual([placesOf(chart), chart.descriptions], [[], undefined]);
  });
}

test('a line beyond the bars of a histogram is named, and a band is drawn as far as they reach', () => {
  const referenceLines = [
    { value: 500, label: 'Limit' },
    { value: 20, to: 500 },
  ];
  const chart = chartOf({ kind: 'histogram', value: 'n', bins: 3, referenceLines });
  assert.deepEqual(chart.notes, ['Not shown, because they are outside of the values: Limit: 500.']);
  assert.deepEqual(placesOf(chart), [{ x: 3 }]);
  assert.deepEqual(chart.descriptions, ['Reference lines: 20 – 500.']);
});
