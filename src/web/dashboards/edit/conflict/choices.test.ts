import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { applyChoices, itemsOf, type EditConflict, type Side } from './choices.ts';
import { differencesOf } from './parts.ts';
import { editOf } from '../draft/content.ts';

const at = (x: number, y: number) => ({ x, y, w: 6, h: 4 });
const widget = (id: string, config: Widget['config'], layout = at(0, 0)): Widget => ({
  id,
  reportId: 'revenue',
  layout,
  config,
});
const current = {
  id: 'dashboard',
  userId: 'ada',
  name: 'Of Bob',
  widgets: [],
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};
const removed = widget('r', { title: 'Changed by Bob' }, at(6, 0));
const conflict: EditConflict = {
  etag: '"3"',
  current,
  merged: {
    name: 'Of Bob',
    description: 'Of Bob',
    widgets: [widget('w', { title: 'Of Bob', unit: 'EUR' }), removed, widget('b', {}, at(0, 4))],
  },
  conflicts: [
    { pointer: '/name', base: 'Sales', mine: 'Of Ada', theirs: 'Of Bob' },
    { pointer: '/description', mine: 'Of Ada', theirs: 'Of Bob' },
    {
      pointer: '/widgets/0/config',
      widgetId: 'w',
      base: {},
      mine: { title: 'Of Ada', unit: 'EUR' },
      theirs: { title: 'Of Bob', unit: 'EUR' },
    },
    { pointer: '/widgets/0/layout', widgetId: 'w', base: at(0, 9), mine: at(6, 0), theirs: at(0, 0) },
    { pointer: '/widgets/1', widgetId: 'r', base: widget('r', {}, at(6, 0)), theirs: removed },
  ],
};
const choose = (choices: Readonly<Record<string, Side>>) =>
  editOf(applyChoices(conflict, new Map(Object.entries(choices))));
const places = (edit: ReturnType<typeof choose>) =>
  edit.widgets.map(({ id, layout, config }) => [id, layout?.x, layout?.y, config?.['title']]);

test('a widget is one thing to decide, with all its parts', () => {
  assert.deepEqual(
    itemsOf(conflict).map(({ key, conflicts, sides }) => [key, conflicts.length, sides.join(' ')]),
    [
      ['name', 1, 'mine theirs'],
      ['description', 1, 'mine theirs both'],
      ['w', 2, 'mine theirs both'],
      ['r', 1, 'mine theirs'],
    ],
  );
});

test('where nothing is chosen, it stays as others have it', () => {
  assert.deepEqual(choose({}), conflict.merged);
});

test('mine takes the place of theirs, and what I removed goes', () => {
  const edit = choose({ name: 'mine', description: 'mine', w: 'mine', r: 'mine' });
  assert.deepEqual([edit.name, edit.description], ['Of Ada', 'Of Ada']);
  assert.deepEqual(places(edit), [
    ['w', 6, 0, 'Of Ada'],
    ['b', 0, 4, undefined],
  ]);
});

test('what others laid where mine goes makes way', () => {
  assert.deepEqual(places(choose({ w: 'mine' })), [
    ['w', 6, 0, 'Of Ada'],
    ['r', 6, 4, 'Changed by Bob'],
    ['b', 0, 4, undefined],
  ]);
});

test('both of a widget are two, mine below theirs; both of a text are one after the other', () => {
  const edit = choose({ description: 'both', w: 'both' });
  assert.equal(edit.description, 'Of Bob\n\nOf Ada');
  assert.deepEqual(places(edit), [
    ['w', 0, 0, 'Of Bob'],
    ['r', 6, 0, 'Changed by Bob'],
    ['b', 0, 8, undefined],
    [undefined, 0, 4, 'Of Ada'],
  ]);
});

test('what differs is said in words', () => {
  const nameOfReport = (id: string) => `the report ${id}`;
  const differences = conflict.conflicts.flatMap((each) => differencesOf(each, nameOfReport));
  assert.deepEqual(differences, [
    { label: 'Name', base: 'Sales', mine: 'Of Ada', theirs: 'Of Bob' },
    { label: 'Description', base: 'none', mine: 'Of Ada', theirs: 'Of Bob' },
    { label: 'Title', base: 'none', mine: 'Of Ada', theirs: 'Of Bob' },
    {
      label: 'Place and size',
      base: 'column 1, row 10, 6 wide, 4 high',
      mine: 'column 7, row 1, 6 wide, 4 high',
      theirs: 'column 1, row 1, 6 wide, 4 high',
    },
    { label: 'Widget', base: 'There', mine: 'Removed', theirs: 'Kept, and changed' },
  ]);
  const report = { pointer: '/widgets/0/reportId', widgetId: 'w', base: 'a', mine: 'b', theirs: 'c' };
  assert.deepEqual(differencesOf(report, nameOfReport), [
    { label: 'Report', base: 'the report a', mine: 'the report b', theirs: 'the report c' },
  ]);
});
