import type { KindName, OfKind } from '#charts/kind.ts';

/** A widget of a test, with the report that it shows. */
export interface PicturedWidget<Name extends KindName = KindName> {
  readonly query: string;
  readonly visualization: OfKind<Name>;
}

const rowsOf = (columns: string, ...rows: readonly string[]): string =>
  `SELECT * FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')}) AS rows(${columns})`;

const quarters = rowsOf(
  'quarter, north, south, rate',
  `'Q1', 120, 80, 0.31`,
  `'Q2', 150, 95, 0.42`,
  `'Q3', 90, 130, 0.28`,
  `'Q4', 170, 60, 0.55`,
);
const days = `SELECT DATE '2026-01-01' + CAST(i AS INTEGER) AS day, 40 + (i * 37) % 23 AS visits, 20 + (i * 11) % 17 AS orders
  FROM range(60) AS days(i)`;
const shares = rowsOf(
  'product, group_name, amount',
  `'Tea', 'Drinks', 420`,
  `'Coffee', 'Drinks', 310`,
  `'Cake', 'Food', 150`,
  `'Bread', 'Food', 90`,
);
const cells = `SELECT 'Day ' || (i % 5 + 1) AS day, 'Hour ' || (i // 5 + 8) AS hour, (i * 7) % 31 AS visits FROM range(20) AS cells(i)`;
const points = `SELECT i AS size, (i * 17) % 29 + i AS price, CASE WHEN i % 2 = 0 THEN 'new' ELSE 'used' END AS state FROM range(40) AS points(i)`;
const steps = rowsOf('step, amount', `'Visits', 900`, `'Carts', 420`, `'Orders', 180`, `'Returns', 40`);
const changes = rowsOf('step, amount', `'Sales', 500`, `'Costs', -220`, `'Taxes', -90`, `'Other', 60`);

/** A widget of each kind, in the order in which they are on the dashboard. */
export const picturedWidgets: { readonly [Name in KindName]: PicturedWidget<Name> } = {
  bar: {
    query: quarters,
    visualization: {
      kind: 'bar',
      x: 'quarter',
      series: [{ field: 'north' }, { field: 'south' }],
      referenceLines: [{ value: 100, label: 'Goal' }],
    },
  },
  line: {
    query: days,
    visualization: { kind: 'line', x: 'day', series: [{ field: 'visits' }, { field: 'orders' }] },
  },
  area: {
    query: days,
    visualization: {
      kind: 'area',
      x: 'day',
      series: [{ field: 'visits' }, { field: 'orders' }],
      stacking: 'stacked',
    },
  },
  combo: {
    query: quarters,
    visualization: {
      kind: 'combo',
      x: 'quarter',
      series: [{ field: 'north' }, { field: 'rate', shape: 'line', axis: 'right' }],
    },
  },
  pie: { query: shares, visualization: { kind: 'pie', category: 'product', value: 'amount' } },
  scatter: {
    query: points,
    visualization: { kind: 'scatter', x: 'size', y: 'price', color: 'state', hasTrendLine: true },
  },
  heatMap: { query: cells, visualization: { kind: 'heatMap', x: 'day', y: 'hour', value: 'visits' } },
  histogram: { query: points, visualization: { kind: 'histogram', value: 'price', bins: 8 } },
  boxPlot: { query: points, visualization: { kind: 'boxPlot', category: 'state', value: 'price' } },
  calendar: { query: days, visualization: { kind: 'calendar', date: 'day', value: 'visits' } },
  treemap: {
    query: shares,
    visualization: { kind: 'treemap', category: 'product', group: 'group_name', value: 'amount' },
  },
  funnel: { query: steps, visualization: { kind: 'funnel', category: 'step', value: 'amount' } },
  waterfall: { query: changes, visualization: { kind: 'waterfall', category: 'step', value: 'amount' } },
  sankey: {
    query: rowsOf('source, target, amount', `'Ads', 'Shop', 50`, `'Ads', 'Blog', 20`, `'Mail', 'Shop', 30`),
    visualization: { kind: 'sankey', source: 'source', target: 'target', value: 'amount' },
  },
  gantt: {
    query: rowsOf(
      'task, team, first_day, last_day',
      `'Design', 'Red', DATE '2026-01-05', DATE '2026-01-16'`,
      `'Build', 'Blue', DATE '2026-01-14', DATE '2026-02-06'`,
      `'Test', 'Red', DATE '2026-02-02', DATE '2026-02-20'`,
    ),
    visualization: {
      kind: 'gantt',
      label: 'task',
      start: 'first_day',
      end: 'last_day',
      group: 'team',
      hasToday: false,
    },
  },
  map: {
    query: rowsOf('country, amount', `'Germany', 30`, `'France', 55`, `'Brazil', 80`, `'India', 10`),
    visualization: { kind: 'map', region: 'country', value: 'amount' },
  },
  gauge: {
    query: 'SELECT 64 AS score',
    visualization: {
      kind: 'gauge',
      value: 'score',
      max: 100,
      target: 80,
      thresholds: [{ from: 50, color: '3', label: 'Good' }],
    },
  },
  number: {
    query: rowsOf('month, amount', `1, 1180`, `2, 1320`, `3, 1240`, `4, 1475`),
    visualization: { kind: 'number', value: 'amount', trend: { by: 'month' } },
  },
  table: {
    query: quarters,
    visualization: {
      kind: 'table',
      columns: [
        { field: 'quarter' },
        { field: 'north', display: 'bar' },
        { field: 'south', colorScale: { high: '4' } },
        { field: 'rate', format: { kind: 'percent' } },
      ],
      hasTotals: true,
    },
  },
  pivot: {
    query: shares,
    visualization: {
      kind: 'pivot',
      rows: ['group_name', 'product'],
      values: [{ field: 'amount', aggregate: 'sum' }],
    },
  },
  text: {
    query: quarters,
    visualization: { kind: 'text', text: 'The first quarter was {{quarter}}.\nNorth sold {{north}}.' },
  },
};
