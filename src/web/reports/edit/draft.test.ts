import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  draftKey,
  emptyContent,
  isSameContent,
  keepDraft,
  readDraft,
  withPart,
  type ReportDraft,
} from './draft.ts';

function createStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => void items.set(key, text) };
}

const draft: ReportDraft = {
  content: { ...emptyContent('s'), name: 'R', query: 'select 1' },
  base: { etag: '"3"', content: emptyContent('s') },
  at: '2026-11-21T09:00:00.000Z',
};

test('a draft comes back as it was, to the person and the report that it is of', () => {
  const storage = createStorage();
  const key = draftKey('u1', { reportId: 'r1' });
  assert.equal(keepDraft(storage, key, draft), true);
  assert.deepEqual(readDraft(storage, key), draft);
  assert.equal(readDraft(storage, draftKey('u2', { reportId: 'r1' })), undefined);
  assert.equal(readDraft(storage, draftKey('u1', { orgId: 'r1' })), undefined);
});

test('what is no draft is none', () => {
  const storage = createStorage();
  for (const text of ['', '{', 'null', '[]', '{"content":{}}', '{"content":{"query":1},"at":"x"}']) {
    storage.setItem('key', text);
    assert.equal(readDraft(storage, 'key'), undefined, text);
  }
});

test('a full disk is told, not thrown', () => {
  const full = {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  assert.equal(keepDraft(full, 'key', draft), false);
});

test('the order of members makes no other content', () => {
  const { name, ...rest } = draft.content;
  assert.equal(isSameContent({ ...rest, name }, draft.content), true);
  assert.equal(isSameContent({ ...draft.content, cacheSeconds: 0 }, draft.content), false);
});

test('an empty description is none', () => {
  const content = withPart(emptyContent('s'), { name: 'R', description: 'words' });
  assert.deepEqual([content.name, content.description], ['R', 'words']);
  assert.deepEqual(withPart(content, { description: '' }), { ...emptyContent('s'), name: 'R' });
});
