import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseReference } from '#shared/content-widgets/references.ts';
import { shownValue, valueOfReference, widgetIdsFor, type ReferenceContext } from './reference-values.ts';

const columns = [
  { name: 'total', type: 'decimal' as const, sourceType: 'numeric' },
  { name: 'best', type: 'text' as const, sourceType: 'text' },
];
const result = {
  columns,
  rows: [
    ['1234.5', '**Oslo** [x](/y)'],
    ['2', 'Bergen'],
  ],
  rowCount: 2,
  isTruncated: false,
  isFromCache: false,
  computedAt: '2026-11-23T00:00:00Z',
  durationMs: 1,
};
const number = {
  kind: 'number' as const,
  value: 'total',
  format: { kind: 'currency' as const, currency: 'EUR', decimals: 0 },
};
const context: ReferenceContext = {
  widgets: [
    { id: 'a', title: 'Revenue', line: { visualization: number, result } },
    { id: 'b', title: 'Revenue', line: { visualization: { kind: 'table' }, result } },
    { id: 'c', title: 'Amount > 5', line: { visualization: { kind: 'table' }, result } },
    { id: 'd', title: 'Nothing', line: { visualization: number, result: { ...result, rows: [] } } },
    {
      id: 'e',
      title: 'Broken',
      line: { problem: { type: '', title: '', status: 500, code: 'internal', detail: '' } },
    },
    {
      id: 'f',
      title: 'Table',
      line: {
        visualization: {
          kind: 'table',
          columns: [{ field: 'total', format: { kind: 'percent', decimals: 1 } }],
        },
        result,
      },
    },
  ],
  filters: [{ name: 'country', label: 'Country', type: 'list', sources: [], widgetIds: [] }],
  values: { country: ['NO', '<b>SE</b>'] },
  isLoading: false,
} as unknown as ReferenceContext;

describe('the value of a reference', () => {
  const cases: readonly (readonly [source: string, shown: string])[] = [
    ['country', 'NO, <b>SE</b>'],
    ['Revenue > total', '€1,235'],
    ['Revenue > best', '**Oslo** [x](/y)'],
    ['Table > total', '123,450.0%'],
    ['Amount > 5 > total', '1234.5'],
    ['Nothing > total', 'fault: “Nothing” has no rows.'],
    ['Broken > total', 'fault: “Broken” has no result.'],
    ['Revenue > costs', 'fault: “Revenue” has no column “costs”.'],
    ['Sales > total', 'fault: There is no widget “Sales”.'],
    ['planet', 'fault: There is no filter “planet”.'],
    ['two words', 'fault: “two words” is neither a filter nor a widget with a column.'],
    ['constructor', 'fault: There is no filter “constructor”.'],
  ];
  for (const [source, shown] of cases) {
    test(source, () => {
      const value = valueOfReference(parseReference(source), context);
      assert.equal(
        value.kind === 'value' ? value.text : value.kind === 'fault' ? `fault: ${value.message}` : value.kind,
        shown === '1234.5' ? '1,234.5' : shown,
      );
    });
  }

  test('may still arrive', () => {
    const loading = { ...context, widgets: [], filters: [], isLoading: true };
    for (const source of ['country', 'Revenue > total'])
      assert.deepEqual(valueOfReference(parseReference(source), loading), { kind: 'loading' });
  });
});

test('the widgets that references need are those with their titles, or all whose titles are not known', () => {
  const widgets = [
    { id: 'a', title: 'Revenue', line: undefined },
    { id: 'b', title: undefined, line: undefined },
    { id: 'c', title: 'Revenue', line: undefined },
    { id: 'd', title: 'Costs', line: undefined },
  ];
  const needed = (...sources: string[]) => widgetIdsFor(sources.map(parseReference), widgets);
  assert.deepEqual(needed('country'), []);
  assert.deepEqual(needed('Revenue > total'), ['a']);
  assert.deepEqual(needed('Costs > n', 'Flights > n'), ['b', 'd']);
});

test('texts show the beginning of a value that is long', () => {
  assert.equal(shownValue('x'.repeat(1_000)), 'x'.repeat(1_000));
  assert.equal(shownValue('🙂'.repeat(1_000_000)), `${'🙂'.repeat(500)}…`);
});
