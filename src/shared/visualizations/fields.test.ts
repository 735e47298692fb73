import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visualizationKinds, type Visualization } from '#contract/reports/visualizations.ts';
import type { ColumnType } from '../columns.ts';
import { findColumnFaults } from './fields.ts';

const findFaults = (visualization: Visualization, columns: Parameters<typeof findColumnFaults>[2]) =>
  findColumnFaults(visualization, visualizationKinds[visualization.kind].fields, columns);

const column = (name: string, type: ColumnType) => ({ name, type });
const columns = [
  column('name', 'text'),
  column('day', 'date'),
  column('count', 'integer'),
  column('sum', 'decimal'),
  column('rate', 'double'),
  column('raw', 'json'),
];

const sort = { field: 'none', direction: 'ascending' } as const;
const series = [{ field: 'count' }, { field: 'name' }, { field: 'none' }];

/** Each kind without faults, and with every fault that it can have. */
const cases: readonly [valid: Visualization, invalid: Visualization, faults: readonly string[]][] = [
  [
    { kind: 'table', columns: [{ field: 'raw', linkField: 'name' }], sort: { ...sort, field: 'name' } },
    { kind: 'table', columns: [{ field: 'name', linkField: 'none' }, { field: 'Name' }], sort },
    ['/columns/1/field column', '/columns/0/linkField column', '/sort/field column'],
  ],
  [
    { kind: 'number', value: 'sum', comparison: { field: 'rate' }, trend: { by: 'day' } },
    { kind: 'number', value: 'day', comparison: { field: 'none' }, trend: { by: 'name' } },
    ['/value columnType', '/comparison/field column', '/trend/by columnType'],
  ],
  ...(['bar', 'line', 'area', 'combo'] as const).map((kind): (typeof cases)[number] => [
    { kind, x: 'name', series: [{ field: 'count' }], splitBy: 'day', sort: { ...sort, field: 'count' } },
    { kind, x: 'none', series, splitBy: 'nothing', sort },
    [
      '/x column',
      '/series/1/field columnType',
      '/series/2/field column',
      '/splitBy column',
      '/sort/field column',
    ],
  ]),
  [
    { kind: 'scatter', x: 'day', y: 'rate', size: 'count', color: 'name', label: 'raw' },
    { kind: 'scatter', x: 'name', y: 'raw', size: 'day', color: 'none', label: 'none' },
    ['/x columnType', '/y columnType', '/size columnType', '/color column', '/label column'],
  ],
  [
    { kind: 'pie', category: 'name', value: 'sum', sort: { ...sort, field: 'sum' } },
    { kind: 'pie', category: 'none', value: 'name', sort },
    ['/category column', '/value columnType', '/sort/field column'],
  ],
  [
    {
      kind: 'pivot',
      rows: ['name', 'raw'],
      columns: ['day'],
      values: [{ aggregate: 'count' }, { field: 'sum', aggregate: 'sum' }],
    },
    {
      kind: 'pivot',
      rows: ['name', 'none'],
      columns: ['nothing'],
      values: [{ field: 'name', aggregate: 'sum' }],
    },
    ['/rows/1 column', '/columns/0 column', '/values/0/field columnType'],
  ],
  [
    {
      kind: 'boxPlot',
      category: 'name',
      value: 'sum',
      summary: { min: 'rate', lowerQuartile: 'rate', upperQuartile: 'rate', max: 'rate' },
    },
    {
      kind: 'boxPlot',
      category: 'none',
      value: 'name',
      summary: { min: 'a', lowerQuartile: 'day', upperQuartile: 'b', max: 'c' },
    },
    [
      '/category column',
      '/value columnType',
      '/summary/min column',
      '/summary/lowerQuartile columnType',
      '/summary/upperQuartile column',
      '/summary/max column',
    ],
  ],
  [
    { kind: 'calendar', date: 'day', value: 'sum' },
    { kind: 'calendar', date: 'count', value: 'day' },
    ['/date columnType', '/value columnType'],
  ],
  [
    { kind: 'treemap', category: 'name', group: 'day', value: 'sum' },
    { kind: 'treemap', category: 'none', group: 'nothing', value: 'raw' },
    ['/category column', '/group column', '/value columnType'],
  ],
  [
    { kind: 'sankey', source: 'name', target: 'day', value: 'sum' },
    { kind: 'sankey', source: 'none', target: 'nothing', value: 'raw' },
    ['/source column', '/target column', '/value columnType'],
  ],
  [
    { kind: 'gantt', label: 'name', start: 'day', end: 'day', group: 'raw', progress: 'rate' },
    { kind: 'gantt', label: 'none', start: 'name', end: 'raw', group: 'nothing', progress: 'day', sort },
    [
      '/label column',
      '/start columnType',
      '/end columnType',
      '/group column',
      '/progress columnType',
      '/sort/field column',
    ],
  ],
  [
    {
      kind: 'map',
      region: 'name',
      value: 'sum',
      latitude: 'rate',
      longitude: 'sum',
      color: 'raw',
      label: 'name',
    },
    {
      kind: 'map',
      region: 'none',
      value: 'day',
      latitude: 'name',
      longitude: 'raw',
      color: 'no',
      label: 'nothing',
    },
    [
      '/region column',
      '/latitude columnType',
      '/longitude columnType',
      '/value columnType',
      '/color column',
      '/label column',
    ],
  ],
  [
    { kind: 'gauge', value: 'sum', targetField: 'rate' },
    { kind: 'gauge', value: 'day', targetField: 'none' },
    ['/value columnType', '/targetField column'],
  ],
  ...(['funnel', 'waterfall'] as const).map((kind): (typeof cases)[number] => [
    { kind, category: 'name', value: 'sum', sort: { ...sort, field: 'sum' } },
    { kind, category: 'none', value: 'name', sort },
    ['/category column', '/value columnType', '/sort/field column'],
  ]),
  [
    { kind: 'heatMap', x: 'name', y: 'day', value: 'rate' },
    { kind: 'heatMap', x: 'a', y: 'b', value: 'raw' },
    ['/x column', '/y column', '/value columnType'],
  ],
  [{ kind: 'histogram', value: 'rate' }, { kind: 'histogram', value: 'day' }, ['/value columnType']],
  [
    { kind: 'text', text: '{{ name }}: {{count}} {{}} {no}' },
    { kind: 'text', text: '{{none}} {{name}} {{ __proto__ }}' },
    ['/text column', '/text column'],
  ],
];

describe('a visualization', () => {
  for (const [valid, invalid, faults] of cases) {
    test(`of the kind ${valid.kind} is checked against the columns, with every fault at once`, () => {
      assert.deepEqual(findFaults(valid, columns), []);
      const found = findFaults(invalid, columns);
      assert.deepEqual(
        found.map(({ pointer, code }) => `${pointer} ${code}`),
        faults,
      );
    });
  }

  test('with an unknown column is reported with the known ones, and with an unsuitable one with its type', () => {
    const faults = findFaults({ kind: 'pie', category: 'none', value: 'name' }, columns.slice(0, 2));
    assert.deepEqual(
      faults.map(({ message }) => message),
      ['is not one of the columns: “name”, “day”', 'must be a column of numbers; the column is text'],
    );
    const [many] = findFaults(
      { kind: 'histogram', value: 'none' },
      Array.from({ length: 30 }, (_, index) => column(`c${index}`, 'text')),
    );
    assert.match(many?.message ?? '', /“c19” …$/);
  });

  test('without columns has a fault for every field', () => {
    assert.equal(findFaults({ kind: 'heatMap', x: 'a', y: 'b', value: 'c' }, []).length, 3);
  });

  test('with an unknown column in its text is reported with the name', () => {
    const faults = findFaults({ kind: 'text', text: '{{a}} {{name}} {{a}}' }, columns.slice(0, 1));
    const message = 'names {{a}}, which is not one of the columns: “name”';
    assert.deepEqual(faults, [{ pointer: '/text', code: 'column', message }]);
  });

  test('may leave out optional columns', () => {
    const visualizations: Visualization[] = [
      { kind: 'table' },
      { kind: 'number', value: 'sum' },
      { kind: 'line', x: 'day', series: [{ field: 'sum' }] },
      { kind: 'scatter', x: 'day', y: 'sum' },
      { kind: 'pie', category: 'name', value: 'sum' },
      { kind: 'text', text: '' },
    ];
    for (const visualization of visualizations) assert.deepEqual(findFaults(visualization, columns), []);
  });

  test('accepts numbers, dates and times on an axis', () => {
    const messages = findFaults({ kind: 'scatter', x: 'name', y: 'sum' }, columns);
    assert.deepEqual(messages, [
      {
        pointer: '/x',
        code: 'columnType',
        message: 'must be a column of numbers, dates or times; the column is text',
      },
    ]);
    for (const type of ['integer', 'decimal', 'double', 'date', 'time', 'datetime', 'instant'] as const) {
      assert.deepEqual(findFaults({ kind: 'scatter', x: 'a', y: 'a' }, [column('a', type)]), [], type);
    }
  });
});
