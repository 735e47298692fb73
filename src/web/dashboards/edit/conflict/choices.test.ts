import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DashboardEdit, Widget } from '#contract/dashboards/dashboards.ts';
import type { EditConflict, Side } from '../../../drafts/conflict/conflict.ts';
import { applyChoices, itemsOf } from './choices.ts';
import { differencesOf } from './differences.ts';
import { editOf } from '../draft/content.ts';

const at = (x: number, y: number) => ({ x, y, w: 6, h: 4 });
const widget = (id: string, config: Widget['config'], layout = at(0, 0)): Widget => ({
  id,
  reportId: 'revenue',
  layout,
  config,
});
const removed = widget('r', { title: 'Changed by Bob' }, at(6, 0));
const conflict: EditConflict<DashboardEdit> = {
  etag: '"3"',
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

test('all parts of a widget are one choice', () => {
  assert.deepEqual(
    itemsOf(conflict, () => 'Revenue').map(({ key, title, differences, both }) => [
      key,
      title,
      differences.length,
      both,
    ]),
    [
      ['name', 'Name of the dashboard', 1, undefined],
      ['description', 'Description of the dashboard', 1, 'Both, one after the other'],
      ['w', 'Widget Of Bob', 2, 'Both, as two widgets'],
      ['r', 'Widget Changed by Bob', 1, undefined],
    ],
  );
});

test('without a choice, their side is used', () => {
  assert.deepEqual(choose({}), conflict.merged);
});

test('my side replaces theirs, and a widget that I removed is removed', () => {
  const edit = choose({ name: 'mine', description: 'mine', w: 'mine', r: 'mine' });
  assert.deepEqual([edit.name, edit.description], ['Of Ada', 'Of Ada']);
  assert.deepEqual(places(edit), [
    ['w', 6, 0, 'Of Ada'],
    ['b', 0, 4, undefined],
  ]);
});

test('widgets that others placed where mine is placed move out of the way', () => {
  assert.deepEqual(places(choose({ w: 'mine' })), [
    ['w', 6, 0, 'Of Ada'],
    ['r', 6, 4, 'Changed by Bob'],
    ['b', 0, 4, undefined],
  ]);
});

test('both sides of a widget become two widgets, mine below theirs; both texts are joined', () => {
  const edit = choose({ description: 'both', w: 'both' });
  assert.equal(edit.description, 'Of Bob\n\nOf Ada');
  assert.deepEqual(places(edit), [
    ['w', 0, 0, 'Of Bob'],
    ['r', 6, 0, 'Changed by Bob'],
    ['b', 0, 8, undefined],
    [undefined, 0, 4, 'Of Ada'],
  ]);
});

test('differences are described in words', () => {
  const nameOfReport = (id: string) => `the report ${id}`;
  const differences = conflict.conflicts.flatMap((each) => differencesOf(each, nameOfReport));
  assert.deepEqual(differences, [
    { label: 'Name', base: 'Sales', mine: 'Of Ada', theirs: 'Of Bob' },
    { label: 'Description', base: 'none', mine: 'Of Ada', theirs: 'Of Bob' },
    { label: 'Title', base: 'none', mine: 'Of Ada', theirs: 'Of Bob' },
    {
      label: 'Position and size',
      base: 'column 1, row 10, 6 wide, 4 high',
      mine: 'column 7, row 1, 6 wide, 4 high',
      theirs: 'column 1, row 1, 6 wide, 4 high',
    },
    { label: 'Widget', base: 'Unchanged', mine: 'Removed', theirs: 'Changed' },
  ]);
  const report = { pointer: '/widgets/0/reportId', widgetId: 'w', base: 'a', mine: 'b', theirs: 'c' };
  assert.deepEqual(differencesOf(report, nameOfReport), [
    { label: 'Report', base: 'the report a', mine: 'the report b', theirs: 'the report c' },
  ]);
});
