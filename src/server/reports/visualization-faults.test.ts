import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Column } from '#contract/data-sources.ts';
import type { ColumnType } from '#shared/columns.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { findDrawingFaults } from './visualization-faults.ts';

const column = (name: string, type: ColumnType): Column => ({ name, type, sourceType: type });
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

/** Each kind with nothing wrong, and with all that can be. */
const cases: readonly [good: Visualization, bad: Visualization, faults: readonly string[]][] = [
  [
    { kind: 'table', columns: [{ field: 'raw' }], sort: { ...sort, field: 'name' } },
    { kind: 'table', columns: [{ field: 'name' }, { field: 'Name' }], sort },
    ['/columns/1/field column', '/sort/field column'],
  ],
  [
    { kind: 'number', value: 'sum', comparison: { field: 'rate' } },
    { kind: 'number', value: 'day', comparison: { field: 'none' } },
    ['/value columnType', '/comparison/field column'],
  ],
  ...(['bar', 'line', 'area'] as const).map((kind): (typeof cases)[number] => [
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

describe('a drawing', () => {
  for (const [good, bad, faults] of cases) {
    test(`of the kind ${good.kind} is checked against the columns, every fault at once`, () => {
      assert.deepEqual(findDrawingFaults(good, columns), []);
      const found = findDrawingFaults(bad, columns);
      assert.deepEqual(
        found.map(({ pointer, code }) => `${pointer} ${code}`),
        faults,
      );
    });
  }

  test('names the columns that there are, and the type that is wrong', () => {
    const faults = findDrawingFaults({ kind: 'pie', category: 'none', value: 'name' }, columns.slice(0, 2));
    assert.deepEqual(
      faults.map(({ message }) => message),
      ['is none of the columns: “name”, “day”', 'must be a column of numbers; the column is text'],
    );
    const [many] = findDrawingFaults(
      { kind: 'histogram', value: 'none' },
      Array.from({ length: 30 }, (_, index) => column(`c${index}`, 'text')),
    );
    assert.match(many?.message ?? '', /“c19” …$/);
  });

  test('of no columns at all tells every field', () => {
    assert.equal(findDrawingFaults({ kind: 'heatMap', x: 'a', y: 'b', value: 'c' }, []).length, 3);
  });
});
