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

test('filters of a dashboard that both changed are compared one by one, and both can be chosen', () => {
  const day = { name: 'day', kind: 'date_range' };
  const country = { name: 'country', label: 'Country', kind: 'select', values: { fixed: ['NO', 'SE'] } };
  const city = {
    name: 'city',
    kind: 'list',
    dependsOn: ['country'],
    values: { reportId: 'r', column: 'city' },
  };
  const theirs = {
    filters: [
      { ...day, default: 'last-year' },
      { ...country, isRequired: true },
    ],
  };
  const mine = { filters: [city, { ...day, default: 'last-30-days' }], appliesTogether: true };
  const layout = { x: 0, y: 0, w: 0, h: 0 };
  const filters = { id: 'f', reportId: 'builtin:filters', layout, config: theirs };
  const edits: EditConflict<DashboardEdit> = {
    etag: '"3"',
    merged: { name: 'Sales', widgets: [filters] },
    conflicts: [
      { pointer: '/widgets/0/config', widgetId: 'f', base: { filters: [day, country] }, mine, theirs },
    ],
  };
  const [item] = itemsOf(edits, () => 'Cities');
  assert.deepEqual(item, {
    key: 'f',
    title: 'Filters of the dashboard',
    differences: [
      {
        label: 'Filter “day”',
        base: 'Range of dates',
        mine: 'Range of dates; default: Last 30 days',
        theirs: 'Range of dates; default: Last year',
      },
      {
        label: 'Filter “country”',
        base: 'List, one value; label: Country; values: NO, SE',
        mine: 'none',
        theirs: 'List, one value; label: Country; required; values: NO, SE',
      },
      {
        label: 'Filter “city”',
        base: 'none',
        mine: 'List, several values; depends on country; values: the column “city” of Cities',
        theirs: 'none',
      },
      { label: 'Changes apply', base: 'immediately', mine: 'together', theirs: 'immediately' },
    ],
    both: 'Both, with theirs where the same filter differs',
  });
  const chosen = editOf(applyChoices(edits, new Map([['f', 'both']])));
  assert.deepEqual(
    chosen.widgets.map(({ id, config }) => [id, config]),
    [['f', { filters: [...theirs.filters, city], appliesTogether: true }]],
  );
});

test('what filters set in a widget is described in words', () => {
  const conflict = {
    pointer: '/widgets/0/config',
    widgetId: 'w',
    base: {},
    mine: { filters: { day: null, country: 'land' } },
    theirs: { filters: { day: { from: 'since', to: 'until' } } },
  };
  assert.deepEqual(
    differencesOf(conflict, () => ''),
    [
      {
        label: 'Filters',
        base: 'none',
        mine: 'day doesn’t apply; country sets land',
        theirs: 'day sets since and until',
      },
    ],
  );
});

test('a tab that both changed is compared in words, and one side can be chosen', () => {
  const tab = (id: string, config: Widget['config'], y: number): Widget => ({
    id,
    reportId: 'builtin:tab',
    layout: { x: 0, y, w: 12, h: 1 },
    config,
  });
  const section = { ...tab('s', { key: 'month', parent: 'costs' }, 0), reportId: 'builtin:section' };
  const places = { base: section.layout, mine: at(0, 2), theirs: section.layout };
  const edits: EditConflict<DashboardEdit> = {
    etag: '"3"',
    merged: {
      name: 'Sales',
      widgets: [tab('t', { key: 'costs', title: 'Costs' }, 0), section, widget('w', { parent: 'month' })],
    },
    conflicts: [
      {
        pointer: '/widgets/0/config',
        widgetId: 't',
        base: { key: 'costs' },
        mine: { key: 'costs', title: 'Money' },
        theirs: { key: 'costs', title: 'Costs' },
      },
      {
        pointer: '/widgets/1/config',
        widgetId: 's',
        base: { key: 'month' },
        mine: { key: 'month', isCollapsed: true, repeat: { filter: 'country' } },
        theirs: { key: 'month', parent: 'costs' },
      },
      { pointer: '/widgets/1/layout', widgetId: 's', ...places },
      {
        pointer: '/widgets/2',
        widgetId: 'w',
        base: widget('w', {}),
        theirs: widget('w', { parent: 'month' }),
      },
    ],
  };
  assert.deepEqual(
    itemsOf(edits, () => 'Revenue').map(({ title, differences, both }) => ({ title, differences, both })),
    [
      {
        title: 'Tab Costs',
        differences: [{ label: 'Title', base: 'none', mine: 'Money', theirs: 'Costs' }],
        both: undefined,
      },
      {
        title: 'Section (untitled)',
        differences: [
          { label: 'Collapsed at first', base: 'no', mine: 'yes', theirs: 'no' },
          { label: 'Repeated for each value of', base: 'none', mine: 'country', theirs: 'none' },
          { label: 'Tab or section', base: 'none', mine: 'none', theirs: 'Tab Costs' },
          { label: 'Order', base: 'place 1', mine: 'place 3', theirs: 'place 1' },
        ],
        both: undefined,
      },
      {
        title: 'Widget Revenue',
        differences: [{ label: 'Widget', base: 'Unchanged', mine: 'Removed', theirs: 'Changed' }],
        both: undefined,
      },
    ],
  );
  const { widgets } = editOf(applyChoices(edits, new Map([['s', 'mine']])));
  assert.deepEqual(
    widgets.map(({ id, layout }) => [id, layout?.y]),
    [
      ['t', 0],
      ['s', 2],
      ['w', 0],
    ],
  );
});
