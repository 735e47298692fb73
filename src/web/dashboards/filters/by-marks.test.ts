import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Search } from '../../ui/browser/search.ts';
import { markOfRow } from '#charts/marks/mark.ts';
import { filterActions } from './by-marks.ts';
import { filtersOfLines } from '#shared/dashboard-filters/filter-list.ts';

const columns = [
  { name: 'region', type: 'text', sourceType: '' },
  { name: 'tags', type: 'text', sourceType: '' },
  { name: 'amount', type: 'integer', sourceType: '' },
] as const;
const filters = filtersOfLines([
  {
    widgetIds: [],
    reportId: 'a',
    parameters: [
      { name: 'Region', type: 'text', hasAllowed: false },
      { name: 'tags', label: 'Tag', type: 'list', hasAllowed: false },
    ],
  },
]);

/** Returns the actions for a mark of each row, which shows some of its columns. */
const actionsFor = (fields: readonly string[], rows: readonly unknown[][], search: Search = {}) => {
  const indexed = columns.map((column, index) => ({ ...column, index }));
  const shown = indexed.filter(({ name }) => fields.includes(name));
  const marks = rows.map((row) => markOfRow(shown, [], row));
  return filterActions(marks, { columns }, filters, search);
};
const [north, south] = [
  ['north', 'a', 1],
  ['south', 'b', 2],
];

test('a mark filters by each of its columns that has a filter', () => {
  assert.deepEqual(actionsFor(['region', 'tags'], [north]), [
    { label: 'Filter this dashboard by Region', changed: { Region: 'north' } },
    { label: 'Filter this dashboard by Tag', changed: { tags: ['a'] } },
  ]);
});

test('several marks filter by all of their values, if the filter is a list', () => {
  assert.deepEqual(actionsFor(['region', 'tags'], [north, south], { tags: 'b' }), [
    {
      label: 'Filter this dashboard by Region',
      reason: 'The filter “Region” has only one value at a time.',
      changed: {},
    },
    { label: 'Filter this dashboard by Tag', changed: { tags: ['b', 'a'] } },
  ]);
});

test('values that are already chosen are removed', () => {
  assert.deepEqual(actionsFor(['region'], [north], { Region: 'north' }), [
    { label: 'Remove the filter by Region', changed: { Region: undefined } },
  ]);
  assert.deepEqual(actionsFor(['tags'], [north, south], { tags: ['a', 'b', 'c'] }), [
    { label: 'Remove the filter by Tag', changed: { tags: ['c'] } },
  ]);
});

test('the reason is given if there is no filter or no value', () => {
  const reasonOf = (...given: Parameters<typeof actionsFor>) => actionsFor(...given)[0]?.reason;
  assert.equal(reasonOf(['amount'], [north]), 'This dashboard has no filter called “amount”.');
  assert.equal(reasonOf([], [north]), 'It shows no value that a filter could have.');
  assert.equal(reasonOf(['region'], [[null, 'a', 1]]), 'A missing value can’t be the value of a filter.');
});
