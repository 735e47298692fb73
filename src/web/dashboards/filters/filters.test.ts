import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchValue } from '../../ui/browser/search.ts';
import { filterText } from '#shared/dashboard-filters/filter-text.ts';
import { filtersOfLines } from '#shared/dashboard-filters/filter-list.ts';
import { allowedSourceOf, isPickedBy, pickableFields, withPicked } from './filters.ts';

const line = (
  reportId: string,
  ...parameters: { name: string; type: 'text' | 'list' | 'date'; hasAllowed: boolean }[]
) => ({
  widgetIds: [],
  reportId,
  parameters,
});
const region = { name: 'Region', type: 'text', hasAllowed: false } as const;
const days = { name: 'day', type: 'date', hasAllowed: false } as const;
const tags = { name: 'tags', type: 'list', hasAllowed: false } as const;
const filters = filtersOfLines([line('a', region, days, tags)]);

test('parameters with the same name are one filter, defined by the first report that has allowed values', () => {
  const known = { ...region, hasAllowed: true };
  assert.deepEqual(
    filtersOfLines([line('a', region, days), line('b', known), line('c', { ...known, type: 'list' })]).map(
      (filter) => [filter.name, filter.type, allowedSourceOf(filter)?.reportId],
    ),
    [
      ['Region', 'text', 'b'],
      ['day', 'date', undefined],
    ],
  );
});

test('values can be picked from columns with the name of a filter', () => {
  const columns = ['REGION', 'region', 'year'].map((name) => ({ name }));
  assert.deepEqual(pickableFields(columns, filters), new Set(['REGION', 'region']));
});

test('a picked value sets the filter, and picking it again clears the filter', () => {
  const pick = (search: Parameters<typeof withPicked>[0], field: string, value: unknown) =>
    withPicked(search, [{ field, value }], filters);
  assert.deepEqual(pick({}, 'region', 'north'), { Region: 'north' });
  assert.deepEqual(pick({ Region: 'south' }, 'region', 'north'), { Region: 'north' });
  assert.deepEqual(pick({ Region: 'north' }, 'region', 'north'), { Region: undefined });
  assert.deepEqual(pick({}, 'region', 5), { Region: '5' });
  assert.deepEqual(pick({}, 'region', null), {});
  assert.deepEqual(pick({}, 'year', 5), {});
  assert.deepEqual(pick({}, 'day', '2001-03-01T00:00:00'), { day: '2001-03-01' });
  assert.deepEqual(pick({ tags: 'a' }, 'tags', 'b'), { tags: ['a', 'b'] });
  assert.deepEqual(pick({ tags: ['a', 'b'] }, 'tags', 'a'), { tags: ['b'] });
  assert.deepEqual(pick({ tags: 'a' }, 'tags', 'a'), { tags: undefined });
});

test('a value is picked if its filter has it, and unknown if no filter of its column is set', () => {
  const isPicked = isPickedBy({ Region: 'north', tags: ['a', 'b'], day: '2001-03-01' }, filters);
  const states = [
    isPicked('region', 'north'),
    isPicked('REGION', 'south'),
    isPicked('tags', 'b'),
    isPicked('day', '2001-03-01T00:00:00'),
    isPicked('region', null),
    isPicked('year', 2001),
  ];
  assert.deepEqual(states, [true, false, true, true, false, undefined]);
});

test('a filter can have the name of a property that every object inherits', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const filter = filtersOfLines([line('a', { name, type: 'list', hasAllowed: false })]);
    const picked = withPicked({}, [{ field: name, value: 'a' }], filter);
    assert.deepEqual(Object.entries(picked), [[name, ['a']]]);
  }
});

test('filters that the dashboard defines come first, with the widgets that they apply to', () => {
  const definitions = [
    { name: 'period', label: 'Period', kind: 'date_range', default: 'last-30-days' },
    { name: 'area', kind: 'list' },
  ] as const;
  const widget = (
    id: string,
    config: Record<string, unknown>,
    ...parameters: (typeof region | typeof days)[]
  ) => ({
    ...line('a', ...parameters),
    widgetIds: [id],
    config,
  });
  const lines = [
    widget('w1', { filters: { area: 'Region', period: { from: 'day' } } }, region, days),
    widget('w2', { filters: { area: null } }, region),
  ];
  const found = filtersOfLines(lines, definitions);
  assert.deepEqual(
    found.map(({ name, type, default: preset, widgetIds }) => [name, type, preset, widgetIds]),
    [
      ['period', 'date', 'last-30-days', ['w1']],
      ['area', 'list', undefined, ['w1']],
      ['Region', 'text', undefined, ['w2']],
    ],
  );
  assert.deepEqual(withPicked({}, [{ field: 'day', value: '2026-01-31T00:00:00' }], found), {
    period: '2026-01-31',
  });
});

test('filters have their values in words', () => {
  const wordsOf = (kind: 'date_range' | 'number_range' | 'list' | 'boolean', value: SearchValue) => {
    const [filter] = filtersOfLines([], [{ name: 'x', kind }]);
    return filter && filterText(filter, { x: value });
  };
  assert.deepEqual(
    [
      wordsOf('date_range', 'last-30-days'),
      wordsOf('date_range', undefined),
      wordsOf('number_range', '1..2'),
      wordsOf('number_range', '1..'),
      wordsOf('number_range', '..2'),
      wordsOf('list', ['a', 'b', 'c', 'd']),
      wordsOf('boolean', 'false'),
    ],
    ['Last 30 days', 'Any', '1 to 2', 'at least 1', 'at most 2', 'a, b and 2 more', 'No'],
  );
});
