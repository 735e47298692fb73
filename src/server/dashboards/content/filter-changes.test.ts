import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { filterWidgetId } from '#shared/dashboard-filters/definitions.ts';
import { describeChanges } from './changes.ts';

const country = { name: 'country', label: 'Country', kind: 'select' };
const day = { name: 'day', kind: 'date_range' };
const layout = { x: 0, y: 0, w: 0, h: 0 };
const filters = (config: Widget['config']): Widget => ({ id: 'f', reportId: filterWidgetId, layout, config });
const chart = (config: Widget['config']): Widget => ({ id: 'c', reportId: 'Sales', layout, config });

const wordsOf = (before: readonly Widget[], after: readonly Widget[]) =>
  describeChanges({ name: 'Board', widgets: before }, { name: 'Board', widgets: after }).map(
    ({ summary }) => summary,
  );

for (const [name, before, after, words] of [
  ['adding the first filter', [], [filters({ filters: [country] })], 'Filters: added “Country”.'],
  ['removing all', [filters({ filters: [country, day] })], [], 'Filters: removed “Country”, “day”.'],
  [
    'changing and adding',
    [filters({ filters: [country] })],
    [filters({ filters: [{ ...country, isRequired: true }, day], appliesTogether: true })],
    'Filters: added “day”, changed “Country”, changes now apply together.',
  ],
  [
    'changing the order',
    [filters({ filters: [country, day] })],
    [filters({ filters: [day, country] })],
    'Filters: reordered.',
  ],
  [
    'what a filter sets in a widget',
    [chart({})],
    [chart({ title: 'New', filters: { day: null } })],
    'Widget of report “Sales”: changed setting “title”; changed which filters apply to it.',
  ],
] as const) {
  test(`${name} is described in words`, () => assert.deepEqual(wordsOf([...before], [...after]), [words]));
}
