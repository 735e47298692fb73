import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from './content.ts';
import { draftName, dropDraft, findDraft, keepDraft } from './storage.ts';

const place = { userId: 'ada', dashboardId: 'sales' };
const widget = { id: 'a', reportId: 'r', layout: { x: 0, y: 0, w: 6, h: 4 }, config: { title: '<b>' } };
const content = contentOf({ name: 'Sales', widgets: [widget] });
const draft = { keptAt: '2026-11-21T09:00:00.000Z', base: { etag: '"1"', content }, present: content };

function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  items: Map<string, string>;
} {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  };
}

test('a draft is found again by its person and dashboard alone, until it is dropped', () => {
  const storage = createStorage();
  assert.equal(keepDraft(storage, place, draft), true);
  assert.deepEqual(findDraft(storage, place), draft);
  assert.equal(findDraft(storage, { ...place, userId: 'bob' }), undefined);
  assert.equal(findDraft(storage, { ...place, dashboardId: 'orders' }), undefined);
  dropDraft(storage, place);
  assert.equal(findDraft(storage, place), undefined);
});

test('a machine without room for a draft is told of', () => {
  const storage = {
    ...createStorage(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  assert.equal(keepDraft(storage, place, draft), false);
});

for (const text of [
  '',
  'null',
  '[]',
  '{"keptAt":1}',
  JSON.stringify({ ...draft, base: { etag: '"1"' } }),
  JSON.stringify({
    ...draft,
    present: { ...content, widgets: [{ ...widget, key: 'a', layout: { x: 0.5 } }] },
  }),
]) {
  test(`what is no draft is none: ${text.slice(0, 40)}`, () => {
    const storage = createStorage();
    storage.items.set(draftName(place), text);
    assert.equal(findDraft(storage, place), undefined);
  });
}
