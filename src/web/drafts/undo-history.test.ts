import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beginHistory,
  mapHistory,
  reduceHistory,
  type EditAction,
  type EditHistory,
} from './undo-history.ts';

interface Content {
  readonly name: string;
}
type Action = EditAction<Content>;

const start: Content = { name: 'Sales' };
const reduce = (history: EditHistory<Content>, action: Action) =>
  reduceHistory(history, action, (one, other) => one.name === other.name);
const run = (...actions: readonly Action[]) => actions.reduce(reduce, beginHistory(start));
const rename = (name: string, group?: string): Action => ({
  type: 'change',
  change: (content) => ({ ...content, name }),
  ...(group !== undefined && { group }),
});
const undo: Action = { type: 'undo' };
const redo: Action = { type: 'redo' };

test('any number of steps can be undone and redone', () => {
  const steps = Array.from({ length: 1000 }, (_, index) => rename(`Name ${index}`));
  const undone = run(...steps, ...steps.map(() => undo));
  assert.equal(undone.present, start);
  const redone = steps.reduce((history) => reduce(history, redo), undone);
  assert.equal(redone.present.name, 'Name 999');
  assert.deepEqual(reduce(redone, redo).present, redone.present);
});

test('a change after an undo replaces what was undone', () => {
  const history = run(rename('A'), rename('B'), undo, rename('C'));
  assert.deepEqual(
    [...history.past, history.present, ...history.future].map(({ name }) => name),
    ['Sales', 'A', 'C'],
  );
});

test('consecutive typing is one step, until an undo or a change of another group', () => {
  const typed = [rename('S', 'name'), rename('Sa', 'name')];
  assert.equal(run(...typed, undo).present, start);
  assert.equal(run(...typed, undo, redo, rename('Sal', 'name'), undo).present.name, 'Sa');
});

test('a change that changes nothing is not a step', () => {
  assert.deepEqual(run(rename('Sales')), beginHistory(start));
});

test('every state is mapped, including undone ones', () => {
  const history = mapHistory(run(rename('A'), rename('B'), undo), ({ name }) => ({ name: `${name}!` }));
  assert.deepEqual(history, {
    past: [{ name: 'Sales!' }],
    present: { name: 'A!' },
    future: [{ name: 'B!' }],
  });
});

test('what follows from a step is undone with it, and can be redone', () => {
  const amend: Action = { type: 'amend', change: ({ name }) => ({ name: `${name} (amended)` }) };
  const amended = run(rename('Orders'), amend);
  assert.equal(amended.present.name, 'Orders (amended)');
  assert.equal(reduce(amended, undo).present.name, 'Sales');
  assert.equal(reduce(reduce(amended, undo), redo).present.name, 'Orders (amended)');
  assert.equal(reduce(reduce(run(rename('Orders')), undo), amend).future.length, 1);
});
