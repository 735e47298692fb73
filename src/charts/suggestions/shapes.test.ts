import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ColumnType } from '#shared/columns.ts';
import { findFaults } from '../kinds.ts';
import { suggestVisualization } from '../suggestion.ts';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';

type Values = (index: number) => unknown;

/** The columns of a result with their types and values, how many rows it has, and what suits it. */
type Shape = readonly [
  name: string,
  columns: Readonly<Record<string, readonly [ColumnType, Values]>>,
  rowCount: number,
  expected: Visualization,
];

const dayAt: Values = (index) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const day = ['date', dayAt] as const;
const words = (prefix: string, count = Infinity) =>
  ['text', (index: number) => `${prefix}${index % count}`] as const;
const of = (type: ColumnType, list: readonly unknown[]) =>
  [type, (index: number) => list[index % list.length]] as const;
const amount = ['decimal', (index: number) => `${((index * 37) % 91) + 10}.5`] as const;
const count = ['integer', (index: number) => ((index * 13) % 17) + 10] as const;
const rate = ['double', (index: number) => ((index * 7) % 11) / 11] as const;
const table: Visualization = { kind: 'table' };
const percent = { kind: 'percent' } as const;
const ranked = (field: string) => ({ sort: { field, direction: 'descending' as const } });

const shapes: readonly Shape[] = [
  ['nothing', {}, 0, table],
  ['columns without rows', { day, amount }, 0, table],
  ['a single number', { amount }, 1, { kind: 'number', value: 'amount' }],
  [
    'a single rate',
    { conversion_rate: rate },
    1,
    { kind: 'number', value: 'conversion_rate', format: percent },
  ],
  ['a number with its name', { city: words('c'), amount }, 1, { kind: 'number', value: 'amount' }],
  [
    'a number with its target',
    { amount, target: count },
    1,
    { kind: 'gauge', value: 'amount', targetField: 'target' },
  ],
  ['one row of several numbers', { amount, count, rate }, 1, table],
  ['a number by day', { day, amount }, 30, { kind: 'line', x: 'day', series: [{ field: 'amount' }] }],
  [
    'a number by time',
    { at: ['instant', (index) => `2026-01-01T${String(index % 24).padStart(2, '0')}:00:00Z`], amount },
    24,
    { kind: 'line', x: 'at', series: [{ field: 'amount' }] },
  ],
  [
    'a number by year, which is an integer',
    { year: ['integer', (index) => 2010 + index], amount },
    12,
    { kind: 'line', x: 'year', series: [{ field: 'amount' }] },
  ],
  [
    'a number by day and a few categories',
    {
      day: ['date', (index) => dayAt(index % 10)],
      city: ['text', (index) => `c${Math.floor(index / 10)}`],
      amount,
    },
    30,
    { kind: 'line', x: 'day', series: [{ field: 'amount' }], splitBy: 'city' },
  ],
  [
    'a number by day and many categories',
    {
      day: ['date', (index) => dayAt(index % 10)],
      city: ['text', (index) => `c${Math.floor(index / 10)}`],
      amount,
    },
    300,
    { kind: 'heatMap', x: 'day', y: 'city', value: 'amount' },
  ],
  [
    'two similar numbers by day',
    { day, amount, count },
    30,
    { kind: 'line', x: 'day', series: [{ field: 'amount' }, { field: 'count' }] },
  ],
  [
    'a large and a small number by day',
    { day, revenue: ['double', (index) => 100_000 + index], orders: count },
    30,
    {
      kind: 'combo',
      x: 'day',
      series: [{ field: 'revenue' }, { field: 'orders', axis: 'right', shape: 'line' }],
    },
  ],
  [
    'a number and a rate by day',
    { day, rate, count },
    30,
    {
      kind: 'combo',
      x: 'day',
      series: [{ field: 'count' }, { field: 'rate', axis: 'right', shape: 'line', format: percent }],
    },
  ],
  [
    'many numbers by day',
    { day, a: amount, b: amount, c: amount, d: amount, e: amount, f: amount, g: amount },
    30,
    table,
  ],
  [
    'the same day in all rows',
    { day: of('date', ['2026-01-01']), city: words('c'), amount },
    3,
    {
      kind: 'bar',
      x: 'city',
      series: [{ field: 'amount' }],
    },
  ],
  [
    'a number of 3 categories',
    { city: words('c'), amount },
    3,
    { kind: 'bar', x: 'city', series: [{ field: 'amount' }] },
  ],
  [
    'a number of 12 categories',
    { city: of('text', 'qwertzuiopas'.split('')), amount },
    12,
    { kind: 'bar', x: 'city', series: [{ field: 'amount' }], ...ranked('amount') },
  ],
  [
    'a ranked list of 20 customers',
    { customer: of('text', 'qwertzuiopasdfghjkly'.split('')), amount },
    20,
    { kind: 'bar', x: 'customer', series: [{ field: 'amount' }], isHorizontal: true, ...ranked('amount') },
  ],
  ['a number of 200 categories', { city: words('c'), amount }, 200, table],
  [
    'categories with long names',
    { product: words('Organic coffee beans '), amount },
    4,
    { kind: 'bar', x: 'product', series: [{ field: 'amount' }], isHorizontal: true },
  ],
  ['long texts', { comment: of('text', ['x'.repeat(100), 'y'.repeat(90)]), amount }, 2, table],
  [
    'weekdays in their order',
    { weekday: of('text', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']), amount },
    7,
    { kind: 'bar', x: 'weekday', series: [{ field: 'amount' }] },
  ],
  [
    'German months in their order',
    {
      Monat: of(
        'text',
        'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
      ),
      amount,
    },
    12,
    { kind: 'bar', x: 'Monat', series: [{ field: 'amount' }] },
  ],
  [
    'hours of the day, which are integers',
    { hour: ['integer', (index) => index], count },
    24,
    { kind: 'bar', x: 'hour', series: [{ field: 'count' }] },
  ],
  [
    'bins of a histogram',
    { age: ['text', (index) => `${index * 10}–${index * 10 + 9}`], count },
    9,
    { kind: 'bar', x: 'age', series: [{ field: 'count' }] },
  ],
  [
    'a boolean',
    { is_paid: of('boolean', [true, false]), count },
    2,
    {
      kind: 'bar',
      x: 'is_paid',
      series: [{ field: 'count' }],
    },
  ],
  [
    'shares that add up to 1',
    { channel: of('text', ['Web', 'Shop', 'Phone']), share: of('double', [0.5, 0.3, 0.2]) },
    3,
    { kind: 'pie', category: 'channel', value: 'share', format: percent },
  ],
  [
    'percentages that add up to 100',
    { channel: of('text', ['Web', 'Shop', 'Phone']), percent: of('integer', [50, 30, 20]) },
    3,
    { kind: 'pie', category: 'channel', value: 'percent' },
  ],
  [
    'amounts that happen to add up to 100',
    { channel: of('text', ['Web', 'Shop', 'Phone']), amount: of('integer', [50, 30, 20]) },
    3,
    { kind: 'bar', x: 'channel', series: [{ field: 'amount' }] },
  ],
  [
    'rates that are no parts of a whole',
    { city: words('c'), rate: of('double', [0.5, 0.9, 0.7]) },
    3,
    { kind: 'bar', x: 'city', series: [{ field: 'rate', format: percent }] },
  ],
  [
    'two similar numbers by category',
    { city: words('c'), amount, count },
    5,
    { kind: 'bar', x: 'city', series: [{ field: 'amount' }, { field: 'count' }] },
  ],
  [
    'a number by two categories',
    { city: words('c', 10), kind: ['text', (index) => `k${Math.floor(index / 10)}`], amount },
    20,
    { kind: 'bar', x: 'city', series: [{ field: 'amount' }], splitBy: 'kind', stacking: 'stacked' },
  ],
  [
    'a number below zero by two categories',
    {
      city: words('c', 10),
      kind: ['text', (index) => `k${Math.floor(index / 10)}`],
      change: ['integer', (index) => index - 10],
    },
    20,
    { kind: 'bar', x: 'city', series: [{ field: 'change' }], splitBy: 'kind' },
  ],
  [
    'a number by two categories with many values',
    { city: words('c', 20), kind: ['text', (index) => `k${Math.floor(index / 20)}`], amount },
    400,
    { kind: 'heatMap', x: 'kind', y: 'city', value: 'amount' },
  ],
  ['three categories', { a: words('a', 2), b: words('b', 3), c: words('c', 5), amount }, 30, table],
  ['a number', { amount }, 50, { kind: 'histogram', value: 'amount' }],
  ['two numbers', { amount, count }, 50, { kind: 'scatter', x: 'amount', y: 'count' }],
  ['three numbers', { amount, count, rate }, 50, { kind: 'scatter', x: 'amount', y: 'count', size: 'rate' }],
  ['four numbers', { amount, count, rate, other: amount }, 50, table],
  [
    'two numbers of many things',
    { product: words('p'), price: amount, sold: count },
    200,
    { kind: 'scatter', x: 'price', y: 'sold', label: 'product' },
  ],
  [
    'two numbers of many rows in a few groups',
    { species: words('s', 3), length: amount, width: count },
    150,
    { kind: 'scatter', x: 'length', y: 'width', color: 'species' },
  ],
  [
    'a number of many rows in a few groups',
    { species: words('s', 3), length: amount },
    150,
    { kind: 'boxPlot', category: 'species', value: 'length' },
  ],
  [
    'identifiers, which are never added up',
    { id: ['integer', (index) => index], customerId: count },
    50,
    table,
  ],
  [
    'an identifier with a number',
    { order_id: ['integer', (index) => 9_000 - index * 7], amount },
    5,
    { kind: 'bar', x: 'order_id', series: [{ field: 'amount' }] },
  ],
  [
    'latitudes and longitudes',
    {
      city: words('c'),
      kind: words('k', 3),
      lat: ['double', (index) => index],
      lng: ['double', (index) => index * 2],
      count,
    },
    20,
    { kind: 'map', latitude: 'lat', longitude: 'lng', value: 'count', label: 'city', color: 'kind' },
  ],
  [
    'codes of countries',
    { country: of('text', ['DE', 'FR', 'IT', 'US']), amount },
    4,
    { kind: 'map', region: 'country', value: 'amount' },
  ],
  [
    'German names of countries',
    { Land: of('text', ['Deutschland', 'Frankreich', 'Italien', 'Spanien']), amount },
    4,
    { kind: 'map', region: 'Land', value: 'amount' },
  ],
  [
    'codes of states',
    { state: of('text', ['CA', 'NY', 'TX', 'WA']), amount },
    4,
    { kind: 'map', region: 'state', value: 'amount', map: 'usStates' },
  ],
  [
    'states that are none of the USA',
    { state: of('text', ['open', 'closed', 'new']), count },
    3,
    { kind: 'bar', x: 'state', series: [{ field: 'count' }] },
  ],
  [
    'starts and ends',
    {
      task: words('Task '),
      team: words('t', 3),
      start_date: day,
      end_date: ['date', (index) => dayAt(index + 3)],
      progress: rate,
    },
    8,
    {
      kind: 'gantt',
      label: 'task',
      start: 'start_date',
      end: 'end_date',
      group: 'team',
      progress: 'progress',
    },
  ],
  [
    'sources and targets',
    { source: words('s', 3), target: ['text', (index) => `t${Math.floor(index / 3)}`], value: count },
    9,
    { kind: 'sankey', source: 'source', target: 'target', value: 'value' },
  ],
  [
    'stages of a funnel',
    { stage: of('text', ['Visit', 'Cart', 'Order']), people: of('integer', [900, 300, 40]) },
    3,
    { kind: 'funnel', category: 'stage', value: 'people' },
  ],
  [
    'stages that don’t get smaller',
    { stage: of('text', ['Visit', 'Cart', 'Order']), people: of('integer', [90, 300, 40]) },
    3,
    { kind: 'bar', x: 'stage', series: [{ field: 'people' }] },
  ],
  [
    'a column without any value',
    { city: words('c'), note: of('text', [null]), empty: of('integer', [null]), amount },
    5,
    { kind: 'bar', x: 'city', series: [{ field: 'amount' }] },
  ],
  ['only texts', { city: words('c'), kind: words('k') }, 20, table],
];

describe('the suggestion for', () => {
  for (const [name, columns, rowCount, expected] of shapes) {
    test(name, () => {
      const types = Object.entries(columns).map(([column, [type]]) => ({
        name: column,
        type,
        sourceType: type,
      }));
      const rows = Array.from({ length: rowCount }, (_, index) =>
        Object.values(columns).map(([, valueAt]) => valueAt(index)),
      );
      const suggested = suggestVisualization(types, rows);
      assert.deepEqual(suggested, expected);
      assert.deepEqual(findFaults(suggested, types), []);
    });
  }
});

test('a suggestion for 50,000 rows takes less than a second of processor time', () => {
  const columns = [
    { name: 'country', type: 'text' as const, sourceType: '' },
    { name: 'n', type: 'integer' as const, sourceType: '' },
  ];
  const rows = Array.from({ length: 50_000 }, (_, index) => [`${'9'.repeat(1_000)}${index}`, index]);
  const cpuMs = watchCpuTime();
  suggestVisualization(columns, rows);
  assert.ok(cpuMs() < 1_000, `${cpuMs()} ms`);
});
