import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { cartesianChart } from '../cartesian/option.ts';
import { heatMapChart } from '../heat-map/option.ts';
import { histogramChart } from '../histogram/option.ts';
import type { OfKind } from '../kind.ts';
import { pieChart } from '../pie/option.ts';
import { scatterChart } from '../scatter/option.ts';
import type { ToChart } from './chart.ts';
import { lightTheme } from './palette.ts';
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

/** What tests look at of an option: its series by name and data, and its axes by kind and categories. */
function draw(visualization: ChartVisualization, result: ResultRows) {
  // Sound because each kind is listed under its own name.
  const toChart = charts[visualization.kind] as ToChart<Visualization>;
  const { option, ...chart } = toChart(visualization, result, lightTheme);
  const list = (value: unknown): Record<string, unknown>[] =>
    value === undefined ? [] : ([value].flat() as Record<string, unknown>[]);
  return {
    ...chart,
    option,
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
  test('stand by category, in the order of the rows or the one described', () => {
    const bars: OfKind<'bar'> = { kind: 'bar', x: 'region', series: [{ field: 'amount' }] };
    const north = rowsOf({ region: 'text', amount: 'integer' }, [
      ['south', 3],
      ['north', 1],
    ]);
    const drawn = draw(bars, north);
    assert.deepEqual(drawn.x, [{ type: 'category', data: ['south', 'north'] }]);
    assert.deepEqual(drawn.data, [
      {
        name: 'amount',
        data: [
          [0, 3],
          [1, 1],
        ],
      },
    ]);
    assert.deepEqual(drawn.pickedAt(0, 1), [{ field: 'region', value: 'north' }]);
    assert.deepEqual(drawn.pickedAt(0, 2), []);
    const sorted = draw({ ...bars, sort: { field: 'amount', direction: 'ascending' } }, north);
    assert.deepEqual(sorted.x[0]?.data, ['north', 'south']);
    const lying = draw({ ...bars, isHorizontal: true }, north);
    assert.deepEqual(lying.y, [{ type: 'category', data: ['south', 'north'] }]);
    assert.deepEqual(lying.data[0]?.data, [
      [3, 0],
      [1, 1],
    ]);
  });

  test('are a series for each measure and each value that splits them', () => {
    const drawn = draw(
      {
        kind: 'line',
        x: 'year',
        splitBy: 'region',
        series: [{ field: 'amount' }, { field: 'cost', label: 'Cost' }],
      },
      sales,
    );
    assert.deepEqual(drawn.x, [{ type: 'value', data: undefined }]);
    assert.deepEqual(drawn.data, [
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
    assert.deepEqual(drawn.pickedAt(2, 1), [
      { field: 'year', value: 2026 },
      { field: 'region', value: 'south' },
    ]);
    assert.deepEqual(drawn.fields, ['year', 'region']);
  });

  test('lie on each other at every place, as shares where that is wanted', () => {
    const area: OfKind<'area'> = {
      kind: 'area',
      x: 'year',
      splitBy: 'region',
      series: [{ field: 'amount' }],
    };
    assert.deepEqual(draw({ ...area, stacking: 'stacked' }, sales).data, [
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
    assert.deepEqual(draw({ ...area, stacking: 'percent' }, sales).data, [
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

  test('fill gaps as described', () => {
    const line: OfKind<'line'> = { kind: 'line', x: 'year', splitBy: 'region', series: [{ field: 'cost' }] };
    const dataOf = (gaps: 'gap' | 'zero' | 'connect') =>
      draw({ ...line, gaps }, sales).data.map(({ data }) => data);
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

  test('have times at their distances, and a second axis for what is measured by it', () => {
    const days = rowsOf({ day: 'date', a: 'integer', b: 'integer' }, [
      ['2025-01-03', 2, 20],
      ['2025-01-01', 1, 10],
    ]);
    const series = [{ field: 'a' }, { field: 'b', axis: 'right' }] as const;
    const drawn = draw({ kind: 'line', x: 'day', series: [...series] }, days);
    assert.deepEqual(drawn.x[0]?.type, 'time');
    assert.deepEqual(drawn.data[0]?.data, [
      [Date.UTC(2025, 0, 1), 1],
      [Date.UTC(2025, 0, 3), 2],
    ]);
    assert.deepEqual(
      drawn.series.map(({ yAxisIndex }) => yAxisIndex),
      [undefined, 1],
    );
    assert.equal(drawn.y.length, 2);
    assert.equal(drawn.option.useUTC, true);
    assert.equal(draw({ kind: 'bar', x: 'day', series: [...series] }, days).x[0]?.type, 'category');
  });

  test('have the colours of their thresholds', () => {
    const drawn = draw(
      { kind: 'bar', x: 'region', series: [{ field: 'cost' }], thresholds: [{ from: 5, color: '#123456' }] },
      sales,
    );
    assert.deepEqual(drawn.data[0]?.data, [
      { value: [0, 5], itemStyle: { color: '#123456' } },
      [1, 4],
      [0, '-'],
    ]);
  });

  test('are no more than fifty, which is told', () => {
    const many = rowsOf(
      { x: 'text', s: 'integer', y: 'integer' },
      Array.from({ length: 60 }, (_, s) => ['a', s, 1]),
    );
    const drawn = draw({ kind: 'bar', x: 'x', splitBy: 's', series: [{ field: 'y' }] }, many);
    assert.equal(drawn.series.length, 50);
    assert.deepEqual(drawn.notes, ['Showing the first 50 of 60 series.']);
  });
});

test('a pie has the rest as one slice, and leaves out what has no share', () => {
  const films = rowsOf({ genre: 'text', gross: 'integer' }, [
    ['Drama', 5],
    [null, 4],
    ['Horror', -1],
    ['Action', 3],
    ['Comedy', 2],
  ]);
  const drawn = draw({ kind: 'pie', category: 'genre', value: 'gross', maxSlices: 3 }, films);
  const slices = (drawn.data[0]!.data as { name: string; value: number }[]).map(({ name, value }) => [
    name,
    value,
  ]);
  assert.deepEqual(slices, [
    ['Drama', 5],
    ['–', 4],
    ['Other (2)', 5],
  ]);
  assert.deepEqual(drawn.pickedAt(0, 0), [{ field: 'genre', value: 'Drama' }]);
  assert.deepEqual(drawn.pickedAt(0, 2), []);
  assert.deepEqual(drawn.notes, ['1 of 5 rows not shown: the value is missing or negative.']);
});

test('a heat map has numbers and times in their order, and texts as they come', () => {
  const cells = rowsOf({ month: 'integer', city: 'text', t: 'double' }, [
    [10, 'Seattle', 1.5],
    [9, 'Austin', 2],
    [9, 'Seattle', null],
  ]);
  const drawn = draw({ kind: 'heatMap', x: 'month', y: 'city', value: 't' }, cells);
  assert.deepEqual(
    [drawn.x[0]?.data, drawn.y[0]?.data],
    [
      ['9', '10'],
      ['Seattle', 'Austin'],
    ],
  );
  assert.deepEqual(drawn.data[0]?.data, [
    [1, 0, 1.5],
    [0, 1, 2],
  ]);
  assert.deepEqual(drawn.pickedAt(0, 1), [
    { field: 'month', value: 9 },
    { field: 'city', value: 'Austin' },
  ]);
});

test('a scatter chart has points where both values are, by groups of a colour', () => {
  const drawn = draw({ kind: 'scatter', x: 'year', y: 'cost', color: 'region' }, sales);
  assert.deepEqual(drawn.data, [
    { name: 'south', data: [[2026, 5]] },
    { name: 'north', data: [[2025, 4]] },
  ]);
  assert.deepEqual(drawn.notes, ['1 of 3 rows not shown: they lack an x or y value.']);
  assert.deepEqual(drawn.pickedAt(1, 0), [{ field: 'region', value: 'north' }]);
});

test('a histogram counts', () => {
  const values = rowsOf({ v: 'integer' }, [[1], [2], [2], ['x'], [9]]);
  const drawn = draw({ kind: 'histogram', value: 'v', bins: 2 }, values);
  assert.deepEqual(
    [drawn.x[0]?.data, drawn.data[0]?.data],
    [
      ['1', '5'],
      [3, 1],
    ],
  );
  assert.deepEqual(drawn.notes, ["1 of 5 rows not shown: the value isn't a number."]);
});

test('a column that is not there draws nothing', () => {
  const nothing = rowsOf({ a: 'text' }, [['x']]);
  const visualizations: ChartVisualization[] = [
    { kind: 'bar', x: 'b', series: [{ field: 'a' }] },
    { kind: 'line', x: 'a', series: [{ field: 'b' }] },
    { kind: 'pie', category: 'a', value: 'b' },
    { kind: 'scatter', x: 'a', y: 'b' },
    { kind: 'heatMap', x: 'a', y: 'a', value: 'b' },
    { kind: 'histogram', value: 'b' },
  ];
  for (const visualization of visualizations) assert.deepEqual(draw(visualization, nothing).series, []);
});
