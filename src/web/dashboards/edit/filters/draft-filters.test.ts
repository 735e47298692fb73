import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersOfWidgets, filterWidgetId } from '#shared/dashboard-filters/definitions.ts';
import type { DraftContent } from '../draft/content.ts';
import { suggestedFilters, targetsFor, withFilter, withMovedFilter, withoutFilter } from './draft-filters.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const empty: DraftContent = {
  name: 'Board',
  description: '',
  widgets: [{ key: 'a', reportId: 'r', layout, config: { title: 'A' } }],
};
const country = { name: 'country', kind: 'select' } as const;
const city = { name: 'city', kind: 'list', dependsOn: ['country'] } as const;
const added = [country, city].reduce<DraftContent>(
  (content, filter) =>
    withFilter(content, 'f', { before: undefined, filter, targets: new Map([['a', `p_${filter.name}`]]) }),
  empty,
);

test('the first filter adds the widget of the filters, which others change', () => {
  assert.deepEqual(added.widgets, [
    {
      key: 'a',
      reportId: 'r',
      layout,
      config: { title: 'A', filters: { country: 'p_country', city: 'p_city' } },
    },
    {
      key: 'f',
      reportId: filterWidgetId,
      layout: { x: 0, y: 0, w: 0, h: 0 },
      config: { filters: [country, city] },
    },
  ]);
});

test('a renamed filter keeps what depends on it and what it applies to', () => {
  const filter = { ...country, name: 'land', label: 'Land' };
  const renamed = withFilter(added, '', { before: 'country', filter, targets: new Map([['a', null]]) });
  assert.deepEqual(filtersOfWidgets(renamed.widgets).filters, [filter, { ...city, dependsOn: ['land'] }]);
  assert.deepEqual(renamed.widgets[0]?.config, { title: 'A', filters: { city: 'p_city', land: null } });
});

test('filters are moved, and the last one that is removed takes the widget with it', () => {
  const moved = withMovedFilter(added, 'city', -1);
  assert.deepEqual(filtersOfWidgets(moved.widgets).filters, [city, country]);
  assert.equal(withMovedFilter(added, 'city', 1), added);
  const one = withoutFilter(added, 'country');
  assert.deepEqual(filtersOfWidgets(one.widgets).filters, [{ name: 'city', kind: 'list' }]);
  assert.deepEqual(withoutFilter(one, 'city'), empty);
});

test('filters are suggested for the parameters of reports', () => {
  const parameter = (name: string, type: 'text' | 'date' | 'number' | 'list', hasAllowed = false) => ({
    name,
    type,
    hasAllowed,
  });
  const parameters = [
    parameter('day_from', 'date'),
    parameter('day_to', 'date'),
    parameter('amount_from', 'number'),
    parameter('place', 'text', true),
    parameter('tags', 'list', true),
    parameter('country', 'text'),
  ];
  assert.deepEqual(suggestedFilters([{ parameters }], { filters: [country] }), [
    { name: 'day', kind: 'date_range' },
    { name: 'amount_from', kind: 'text' },
    { name: 'place', kind: 'select' },
    { name: 'tags', kind: 'list' },
  ]);
  const labels = targetsFor(parameters.slice(0, 2), 'date_range').map(({ label }) => label);
  assert.deepEqual(labels.slice(0, 2), ['day_from and day_to', 'day_from: the start']);
});
