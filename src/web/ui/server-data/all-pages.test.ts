import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allPages } from './all-pages.ts';

test('a list is read to its end, page by page', async () => {
  const pages: Readonly<Record<string, { items: number[]; nextCursor?: string }>> = {
    '': { items: [1, 2], nextCursor: 'a' },
    a: { items: [], nextCursor: 'b' },
    b: { items: [3] },
  };
  const all = await allPages(async ({ cursor = '' }) => Promise.resolve(pages[cursor] ?? { items: [] }));
  assert.deepEqual(all, [1, 2, 3]);
});
