import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropDraft, findDraft, storeDraft, type DraftKind } from './storage.ts';

const kind: DraftKind<{ readonly name: string }> = {
  kind: 'report',
  isSame: (one, other) => one.name === other.name,
  isBlank: () => false,
  isContent: (value): value is { name: string } =>
    typeof (value as { name?: unknown } | null | undefined)?.name === 'string',
};
const place = { userId: 'ada', recordId: 'sales' };
const content = { name: '<b>Sales</b>' };
const draft = { storedAt: '2026-11-21T09:00:00.000Z', base: { etag: '"1"', content }, present: content };

function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  };
}

test('a draft is found only for its author and record, until it is dropped', () => {
  const storage = createStorage();
  assert.equal(storeDraft(storage, kind, place, draft), true);
  assert.deepEqual(findDraft(storage, kind, place), draft);
  assert.equal(findDraft(storage, kind, { ...place, userId: 'bob' }), undefined);
  assert.equal(findDraft(storage, kind, { ...place, recordId: 'orders' }), undefined);
  assert.equal(findDraft(storage, { ...kind, kind: 'dashboard' }, place), undefined);
  dropDraft(storage, kind, place);
  assert.equal(findDraft(storage, kind, place), undefined);
});

test('a lack of space in the browser is returned, not thrown', () => {
  const storage = {
    ...createStorage(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  assert.equal(storeDraft(storage, kind, place, draft), false);
});

for (const text of [
  '',
  '{',
  'null',
  '[]',
  '{"storedAt":1}',
  JSON.stringify({ ...draft, storedAt: 1 }),
  JSON.stringify({ ...draft, base: { etag: '"1"' } }),
  JSON.stringify({ ...draft, base: { content } }),
  JSON.stringify({ ...draft, present: { name: 1 } }),
]) {
  test(`an invalid draft is not found: ${text}`, () => {
    const storage = createStorage();
    storage.getItem = () => text;
    assert.equal(findDraft(storage, kind, place), undefined);
  });
}
