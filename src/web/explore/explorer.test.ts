import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Selection } from '#shared/explore/axes.ts';
import { createExplorer } from './explorer.ts';

const amount = (from: number): Selection => ({ kind: 'number', column: 'amount', from, to: 100 });

/** Opens an explorer whose URL is changed by `followUrl` only, one change for each call. */
function openExplorer() {
  const urls: (readonly Selection[])[] = [];
  const explorer = createExplorer({
    async *loadProfiles() {},
    async *loadCubes() {},
    onCommit: (selections) => void urls.push(selections),
    requestFrame: (paint) => paint(),
  });
  const select = (selection: Selection): void => {
    explorer.select('amount', selection);
    explorer.commit();
  };
  const followUrl = (): void => explorer.open(urls.shift() ?? []);
  return { explorer, urls, select, followUrl, selected: () => explorer.getState().selections };
}

test('a URL that is behind does not take back what was selected since', () => {
  const { explorer, urls, select, followUrl, selected } = openExplorer();
  select(amount(1));
  select(amount(2));
  followUrl();
  assert.deepEqual(selected(), [amount(2)]);
  assert.deepEqual(explorer.selectionOf('amount'), amount(2));
  explorer.clear();
  followUrl();
  assert.deepEqual(selected(), []);
  explorer.undo();
  followUrl();
  assert.deepEqual(selected(), [amount(2)]);
  followUrl();
  assert.deepEqual([urls.length, selected()], [0, [amount(2)]]);
});

test('a selection in progress is kept while the URL follows the one before', () => {
  const { explorer, select, followUrl } = openExplorer();
  select(amount(1));
  explorer.select('amount', amount(5));
  followUrl();
  assert.deepEqual(explorer.selectionOf('amount'), amount(5));
});

test('going back selects what the URL says, also after changes that the URL skipped', () => {
  const { explorer, urls, select, selected } = openExplorer();
  for (const from of [1, 2, 3]) select(amount(from));
  explorer.open(urls[2]!);
  explorer.open(urls[1]!);
  assert.deepEqual(selected(), [amount(2)]);
  explorer.open([]);
  assert.deepEqual(selected(), []);
});
