import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersOfLines, isPickedBy, pickableFields, withPicked } from './filters.ts';

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
    filtersOfLines([line('a', region, days), line('b', known), line('c', { ...known, type: 'list' })]),
    [
      { ...known, reportId: 'b' },
      { ...days, reportId: 'a' },
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
