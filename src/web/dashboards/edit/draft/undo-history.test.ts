import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addWidget, contentOf, removeWidget, type DraftContent } from './content.ts';
import { beginHistory, reduceHistory, type EditAction } from './undo-history.ts';

const start = contentOf({ name: 'Sales', widgets: [] });
const run = (...actions: readonly EditAction[]) => actions.reduce(reduceHistory, beginHistory(start));
const rename = (name: string, group?: string): EditAction => ({
  type: 'change',
  change: (content: DraftContent) => ({ ...content, name }),
  ...(group !== undefined && { group }),
});
const undo: EditAction = { type: 'undo' };
const redo: EditAction = { type: 'redo' };

test('every step is undone and redone, however many there are', () => {
  const steps = Array.from({ length: 1000 }, (_, index) => rename(`Name ${index}`));
  const undone = run(...steps, ...steps.map(() => undo));
  assert.equal(undone.present, start);
  const redone = steps.reduce((history) => reduceHistory(history, redo), undone);
  assert.equal(redone.present.name, 'Name 999');
  assert.deepEqual(reduceHistory(redone, redo).present, redone.present);
});

test('a change after an undo takes the place of what was undone', () => {
  const history = run(rename('A'), rename('B'), undo, rename('C'));
  assert.deepEqual(
    [...history.past, history.present, ...history.future].map(({ name }) => name),
    ['Sales', 'A', 'C'],
  );
});

test('typing is one step, which an undo or another kind of change ends', () => {
  const typed = [rename('S', 'name'), rename('Sa', 'name')];
  assert.equal(run(...typed, undo).present, start);
  assert.equal(run(...typed, undo, redo, rename('Sal', 'name'), undo).present.name, 'Sa');
});

test('what changes nothing is no step', () => {
  assert.deepEqual(run(rename('Sales')), beginHistory(start));
});

test('a widget keeps its identity through undo and redo of what was before it was saved', () => {
  const add: EditAction = { type: 'change', change: (content) => addWidget(content, 'new', 'report') };
  const remove: EditAction = { type: 'change', change: (content) => removeWidget(content, 'new') };
  const identify: EditAction = { type: 'identify', ids: new Map([['new', 'id of the server']]) };
  const history = run(add, rename('A'), remove, undo, identify);
  assert.equal(history.present.widgets[0]?.id, 'id of the server');
  assert.equal(reduceHistory(history, undo).present.widgets[0]?.id, 'id of the server');
});
