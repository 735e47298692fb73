import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dashboard, Widget } from '#contract/dashboards/dashboards.ts';
import { beginHistory, reduceHistory, type EditAction } from '../../../drafts/undo-history.ts';
import {
  addWidget,
  changeWidget,
  contentOf,
  isSameContent,
  removeWidget,
  type DraftContent,
} from './content.ts';
import { carryOver, idsOf, savedContent, withIds } from './saved-edit.ts';

const widget = (id: string, reportId: string, x = 0): Widget => ({
  id,
  reportId,
  layout: { x, y: 0, w: 2, h: 2 },
  config: {},
});
const saved = (widgets: readonly Widget[], name = 'Sales'): Dashboard => ({
  id: 'dashboard',
  userId: 'ada',
  name,
  widgets: [...widgets],
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
});
const base = contentOf(saved([widget('a', 'revenue')]));

test('an added widget keeps its key, and gets the ID that the server assigned', () => {
  const sent = addWidget(addWidget(base, 'new 1', 'orders'), 'new 2', 'orders');
  const content = savedContent(
    sent,
    saved([widget('a', 'revenue'), widget('b', 'orders', 2), widget('c', 'orders', 4)]),
    false,
  );
  assert.deepEqual(
    [...idsOf(content)],
    [
      ['a', 'a'],
      ['new 1', 'b'],
      ['new 2', 'c'],
    ],
  );
});

test('an edit with a new widget is unchanged after its save', () => {
  const sent = addWidget(base, 'new', 'orders');
  const body = saved([widget('a', 'revenue'), { ...widget('b', 'orders'), layout: sent.widgets[1]!.layout }]);
  const content = savedContent(sent, body, false);
  const { present } = withIds(beginHistory(sent), idsOf(content));
  assert.ok(isSameContent(present, content));
});

test('added widgets are distinguished from those that others added by report and config', () => {
  const sent = addWidget(base, 'new', 'orders');
  const merged = saved([widget('a', 'revenue'), widget('x', 'of Bob', 2), widget('b', 'orders', 4)]);
  assert.deepEqual(
    [...idsOf(savedContent(sent, merged, true))],
    [
      ['a', 'a'],
      ['x', 'x'],
      ['new', 'b'],
    ],
  );
});

test('changes made during a save are applied on top of what was saved', () => {
  const sent = addWidget(addWidget(base, 'new', 'orders'), 'gone', 'orders');
  const present = {
    ...addWidget(
      changeWidget(removeWidget(sent, 'gone'), 'new', { reportId: 'orders', title: 'Mine' }),
      'later',
      'later',
    ),
    description: 'Typed',
  };
  const merged = savedContent(
    sent,
    saved(
      [widget('a', 'revenue', 9), widget('b', 'orders', 2), widget('c', 'orders', 4), widget('x', 'Bob', 6)],
      'Renamed by Bob',
    ),
    true,
  );
  const carried = carryOver(sent, present, merged);
  assert.deepEqual(
    carried.widgets.map(({ key, id, reportId, config }) => ({ key, id, reportId, config })),
    [
      { key: 'a', id: 'a', reportId: 'revenue', config: {} },
      { key: 'new', id: 'b', reportId: 'orders', config: { title: 'Mine' } },
      { key: 'x', id: 'x', reportId: 'Bob', config: {} },
      { key: 'later', id: undefined, reportId: 'later', config: {} },
    ],
  );
  assert.deepEqual([carried.name, carried.description], ['Renamed by Bob', 'Typed']);
  assert.equal(carried.widgets[0]?.layout.x, 9, 'moved by Bob');
});

test('a widget keeps its ID when changes from before its save are undone and redone', () => {
  const changes = [
    (content: DraftContent) => addWidget(content, 'new', 'report'),
    (content: DraftContent) => ({ ...content, name: 'A' }),
    (content: DraftContent) => removeWidget(content, 'new'),
  ].map((change): EditAction<DraftContent> => ({ type: 'change', change }));
  const history = withIds(
    [...changes, { type: 'undo' } as const].reduce(
      (before, action) => reduceHistory(before, action, isSameContent),
      beginHistory(base),
    ),
    new Map([['new', 'id of the server']]),
  );
  assert.equal(history.present.widgets.at(-1)?.id, 'id of the server');
  const undone = reduceHistory(history, { type: 'undo' }, isSameContent);
  assert.equal(undone.present.widgets.at(-1)?.id, 'id of the server');
});
