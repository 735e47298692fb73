import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { init, type EChartsOption } from 'echarts';
import type { ColumnType } from '#shared/columns.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { cartesianChart } from '../cartesian/option.ts';
import { heatMapChart } from '../heat-map/option.ts';
import { histogramChart } from '../histogram/option.ts';
import type { OfKind } from '../kind.ts';
import { pickedBy } from '../marks/mark.ts';
import { pieChart } from '../pie/option.ts';
import { scatterChart } from '../scatter/option.ts';
import type { ToChart } from './chart.ts';
import { lightTheme } from './palette.ts';
import { createValueColors } from './value-colors.ts';
import type { ResultRows } from '../values/result-values.ts';

type ChartVisualization = OfKind<'bar' | 'line' | 'area' | 'scatter' | 'pie' | 'heatMap' | 'histogram'>;

const charts: { readonly [Kind in ChartVisualization['kind']]: ToChart<OfKind<Kind>> } = {
  bar: cartesianChart,
  line: cartesianChart,
  area: cartesianChart,
  scatter: scatterChart,
  pie: pieChart,
  heatMap: heatMapChart,
  histogram: histogramChart,
};

function rowsOf(columns: Record<string, ColumnType>, rows: unknown[][]): ResultRows {
  return {
    columns: Object.entries(columns).map(([name, type]) => ({ name, type, sourceType: '' })),
    rows,
  };
}

/** Returns a chart with the parts of its option that tests compare: the series, and the type and categories of the axes. */
function chartOf(visualization: ChartVisualization, result: ResultRows) {
  // Sound because each kind is listed under its own name.
  const toChart = charts[visualization.kind] as ToChart<Visualization>;
  const { option, ...chart } = toChart(visualization, result, lightTheme, createValueColors());
  const list = (value: unknown): Record<string, unknown>[] =>
    value === undefined ? [] : ([value].flat() as Record<string, unknown>[]);
  return {
    ...chart,
    option,
    pickedAt: (seriesIndex: number, dataIndex: number) => {
      const mark = chart.markAt(seriesIndex, dataIndex);
      return mark && pickedBy(mark, result);
    },
    series: list(option.series),
    data: list(option.series).map(({ name, data }) => ({ name, data })),
    x: list(option.xAxis).map(({ type, data }) => ({ type, data })),
    y: list(option.yAxis).map(({ type, data }) => ({ type, data })),
  };
}

const sales = rowsOf({ region: 'text', year: 'integer', amount: 'decimal', cost: 'double' }, [
  ['south', 2026, '70.5', 5],
  ['north', 2025, 10, 4],
  ['south', 2025, 30, null],
]);

describe('bars, lines and areas', () => {
  test('are placed by category, in the order of the rows or the configured one', () => {
    const bars: OfKind<'bar'> = { kind: 'bar', x: 'region', series: [{ field: 'amount' }] };
    const north = rowsOf({ region: 'text', amount: 'integer' }, [
      ['south', 3],
      ['north', 1],
    ]);
    const chart = chartOf(bars, north);
    assert.deepEqual(chart.x, [{ type: 'category', data: ['south', 'north'] }]);
    assert.deepEqual(chart.data, [
      {
        name: 'amount',
        data: [
          [0, 3],
          [1, 1],
        ],
      },
    ]);
    assert.deepEqual(chart.pickedAt(0, 1), [{ field: 'region', value: 'north' }]);
    assert.equal(chart.markAt(0, 2), undefined);
    const sorted = chartOf({ ...bars, sort: { field: 'amount', direction: 'ascending' } }, north);
    assert.deepEqual(sorted.x[0]?.data, ['north', 'south']);
    const horizontal = chartOf({ ...bars, isHorizontal: true }, north);
    assert.deepEqual(horizontal.y, [{ type: 'category', data: ['south', 'north'] }]);
    assert.deepEqual(horizontal.data[0]?.data, [
      [3, 0],
      [1, 1],
    ]);
  });

  test('have a series for each measure and each value that splits them', () => {
    const chart = chartOf(
      {
        kind: 'line',
        x: 'year',
        splitBy: 'region',
        series: [{ field: 'amount' }, { field: 'cost', label: 'Cost' }],
      },
      sales,
    );
    assert.deepEqual(chart.x, [{ type: 'value', data: undefined }]);
    assert.deepEqual(chart.data, [
      { name: 'north · amount', data: [[2025, 10]] },
      { name: 'north · Cost', data: [[2025, 4]] },
      {
        name: 'south · amount',
        data: [
          [2025, 30],
          [2026, 70.5],
        ],
      },
      {
        name: 'south · Cost',
        data: [
          [2025, '-'],
          [2026, 5],
        ],
      },
    ]);
    assert.deepEqual(chart.pickedAt(2, 1), [
      { field: 'year', value: 2026 },
      { field: 'region', value: 'south' },
    ]);
    assert.deepEqual(chart.markAt(2, 1)?.measures, ['amount']);
  });

  test('are stacked at every position, as shares if configured', () => {
    const area: OfKind<'area'> = {
      kind: 'area',
      x: 'year',
      splitBy: 'region',
      series: [{ field: 'amount' }],
    };
    assert.deepEqual(chartOf({ ...area, stacking: 'stacked' }, sales).data, [
      {
        name: 'north',
        data: [
          [2025, 10],
          [2026, 0],
        ],
      },
      {
        name: 'south',
        data: [
          [2025, 30],
          [2026, 70.5],
        ],
      },
    ]);
    assert.deepEqual(chartOf({ ...area, stacking: 'percent' }, sales).data, [
      {
        name: 'north',
        data: [
          [2025, 0.25],
          [2026, 0],
        ],
      },
      {
        name: 'south',
        data: [
          [2025, 0.75],
          [2026, 1],
        ],
      },
    ]);
  });

  test('fill gaps as configured', () => {
    const line: OfKind<'line'> = { kind: 'line', x: 'year', splitBy: 'region', series: [{ field: 'cost' }] };
    const dataOf = (gaps: 'gap' | 'zero' | 'connect') =>
      chartOf({ ...line, gaps }, sales).data.map(({ data }) => data);
    assert.deepEqual(dataOf('gap'), [
      [
        [2025, 4],
        [2026, '-'],
      ],
      [
        [2025, '-'],
        [2026, 5],
      ],
    ]);
    assert.deepEqual(dataOf('zero'), [
      [
        [2025, 4],
        [2026, 0],
      ],
      [
        [2025, 0],
        [2026, 5],
      ],
    ]);
    assert.deepEqual(dataOf('connect'), [
      [[2025, 4]],
      [
        [2025, '-'],
        [2026, 5],
      ],
    ]);
  });

  test('place times by their distances, and have a second axis for the series that use it', () => {
    const days = rowsOf({ day: 'date', a: 'integer', b: 'integer' }, [
      ['2025-01-03', 2, 20],
      ['2025-01-01', 1, 10],
    ]);
    const series = [{ field: 'a' }, { field: 'b', axis: 'right' }] as const;
    const chart = chartOf({ kind: 'line', x: 'day', series: [...series] }, days);
    assert.deepEqual(chart.x[0]?.type, 'time');
    assert.deepEqual(chart.data[0]?.data, [
      [Date.UTC(2025, 0, 1), 1],
      [Date.UTC(2025, 0, 3), 2],
    ]);
    assert.deepEqual(
      chart.series.map(({ yAxisIndex }) => yAxisIndex),
      [undefined, 1],
    );
    assert.equal(chart.y.length, 2);
    assert.equal(chart.option.useUTC, true);
    const bars: OfKind<'bar'> = { kind: 'bar', x: 'day', series: [...series] };
    assert.equal(chartOf(bars, days).x[0]?.type, 'time');
    const ranking = chartOf({ ...bars, sort: { field: 'a', direction: 'descending' } }, days);
    assert.deepEqual(ranking.x, [{ type: 'category', data: ['Jan 3, 2025', 'Jan 1, 2025'] }]);
  });

  test('have the colors of their thresholds', () => {
    const chart = chartOf(
      { kind: 'bar', x: 'region', series: [{ field: 'cost' }], thresholds: [{ from: 5, color: '#123456' }] },
      sales,
    );
    assert.deepEqual(chart.data[0]?.data, [
      { value: [0, 5], itemStyle: { color: '#123456' } },
      [1, 4],
      [0, '-'],
    ]);
  });

  test('show at most fifty series, and report the rest', () => {
    const many = rowsOf(
      { x: 'text', s: 'integer', y: 'integer' },
      Array.from({ length: 60 }, (_, s) => ['a', s, 1]),
    );
    const chart = chartOf({ kind: 'bar', x: 'x', splitBy: 's', series: [{ field: 'y' }] }, many);
    assert.equal(chart.series.length, 50);
    assert.deepEqual(chart.notes, ['Showing the first 50 of 60 series.']);
  });
});

test('a pie chart combines the other slices, and leaves out negative values', () => {
  const films = rowsOf({ genre: 'text', gross: 'integer' }, [
    ['Drama', 5],
    [null, 4],
    ['Horror', -1],
    ['Action', 3],
    ['Comedy', 2],
  ]);
  const chart = chartOf({ kind: 'pie', category: 'genre', value: 'gross', maxSlices: 3 }, films);
  const slices = (chart.data[0]!.data as { name: string; value: number }[]).map(({ name, value }) => [
    name,
    value,
  ]);
  assert.deepEqual(slices, [
    ['Drama', 5],
    ['–', 4],
    ['Other (2)', 5],
  ]);
  assert.deepEqual(chart.pickedAt(0, 0), [{ field: 'genre', value: 'Drama' }]);
  assert.deepEqual(chart.pickedAt(0, 2), [
    { field: 'genre', value: 'Action' },
    { field: 'genre', value: 'Comedy' },
  ]);
  assert.deepEqual(chart.notes, ['1 of 5 rows not shown: the value is missing or negative.']);
});

test('a heat map sorts numbers and times, and leaves texts in the order of the rows', () => {
  const cells = rowsOf({ month: 'integer', city: 'text', t: 'double' }, [
    [10, 'Seattle', 1.5],
    [9, 'Austin', 2],
    [9, 'Seattle', null],
  ]);
  const chart = chartOf({ kind: 'heatMap', x: 'month', y: 'city', value: 't' }, cells);
  assert.deepEqual(
    [chart.x[0]?.data, chart.y[0]?.data],
    [
      ['9', '10'],
      ['Seattle', 'Austin'],
    ],
  );
  assert.deepEqual(chart.data[0]?.data, [
    [1, 0, 1.5],
    [0, 1, 2],
  ]);
  assert.deepEqual(chart.pickedAt(0, 1), [
    { field: 'month', value: 9 },
    { field: 'city', value: 'Austin' },
  ]);
});

test('a scatter chart has points for rows with both values, grouped by color', () => {
  const chart = chartOf({ kind: 'scatter', x: 'year', y: 'cost', color: 'region' }, sales);
  assert.deepEqual(chart.data, [
    { name: 'south', data: [[2026, 5]] },
    { name: 'north', data: [[2025, 4]] },
  ]);
  assert.deepEqual(chart.notes, ['1 of 3 rows not shown: they lack an x or y value.']);
  assert.deepEqual(chart.pickedAt(1, 0), [{ field: 'region', value: 'north' }]);
});

test('a histogram counts values between round edges, and labels the edges', () => {
  const values = rowsOf({ v: 'integer' }, [[1], [2], [2], ['x'], [9]]);
  const chart = chartOf({ kind: 'histogram', value: 'v', bins: 2 }, values);
  assert.deepEqual(chart.data[0]?.data, [3, 1]);
  assert.deepEqual(textsIn(pictureOf(chart.option)), ['v', '0', '1', '2', '3', '0', '5', '10']);
  assert.deepEqual(chart.notes, ["1 of 5 rows not shown: the value isn't a number."]);
});

test('a histogram labels the bins that have all values far from the others', () => {
  const ages = Array.from({ length: 100 }, (_, index) => [20 + (index % 50)]);
  const { option, series, markAt } = chartOf(
    { kind: 'histogram', value: 'age' },
    rowsOf({ age: 'integer' }, [...ages, [-1_000], [1_000_000]]),
  );
  assert.deepEqual(
    (series[0]!['data'] as unknown[]).map((bar) =>
      typeof bar === 'number' ? bar : (bar as { value: number }).value,
    ),
    [1, 20, 20, 20, 20, 20, 1],
  );
  assert.deepEqual(
    [0, 1, 6].map((bar) => markAt(0, bar)?.rows.map(([age]) => age)),
    [[-1_000], ages.map(([age]) => age).filter((age) => age! < 30), [1_000_000]],
  );
  assert.deepEqual(textsIn(pictureOf(option)).slice(-6), ['< 20', '≥ 70', '30', '40', '50', '60']);
});

test('a chart with a missing column is empty', () => {
  const nothing = rowsOf({ a: 'text' }, [['x']]);
  const visualizations: ChartVisualization[] = [
    { kind: 'bar', x: 'b', series: [{ field: 'a' }] },
    { kind: 'line', x: 'a', series: [{ field: 'b' }] },
    { kind: 'pie', category: 'a', value: 'b' },
    { kind: 'scatter', x: 'a', y: 'b' },
    { kind: 'heatMap', x: 'a', y: 'a', value: 'b' },
    { kind: 'histogram', value: 'b' },
  ];
  for (const visualization of visualizations) assert.deepEqual(chartOf(visualization, nothing).series, []);
});

test('bars over dates are drawn, even if there is only one', () => {
  for (const days of [['2024-10-01'], ['2024-10-01', '2024-12-24']]) {
    const result = rowsOf(
      { day: 'date', n: 'integer' },
      days.map((day) => [day, 3]),
    );
    const picture = pictureOf(chartOf({ kind: 'bar', x: 'day', series: [{ field: 'n' }] }, result).option);
    assert.doesNotMatch(picture, /NaN/);
    assert.equal(picture.split(`fill="${lightTheme.colors[0]}"`).length - 1, days.length);
  }
});

test('a scatter chart of thousands of points in groups draws every group', () => {
  const result = rowsOf(
    { x: 'double', y: 'double', city: 'text' },
    Array.from({ length: 9_000 }, (_, index) => [
      index % 97,
      index % 89,
      ['Austin', 'Boston', 'Chicago'][index % 3],
    ]),
  );
  const { option, series } = chartOf({ kind: 'scatter', x: 'x', y: 'y', color: 'city' }, result);
  const picture = pictureOf(option);
  assert.doesNotMatch(picture, /NaN/);
  for (const { color } of series as { color: string }[]) {
    assert.ok(pathLength(picture, color) > 10_000, `${color} is drawn`);
  }
});

/** Returns a chart drawn as SVG. */
function pictureOf(option: EChartsOption): string {
  const canvas = init(null, null, { renderer: 'svg', ssr: true, width: 600, height: 400 });
  canvas.setOption(option);
  const svg = canvas.renderToSVGString();
  canvas.dispose();
  return svg;
}

/** Returns the total length of the paths with this fill. */
const pathLength = (svg: string, color: string): number =>
  [...svg.matchAll(/<path [^>]*>/g)]
    .filter(([path]) => path.includes(`fill="${color}"`))
    .reduce((sum, [path]) => sum + path.length, 0);

/** Returns the texts of a drawn chart, in their order. */
const textsIn = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  );
