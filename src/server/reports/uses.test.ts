import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reader } from '../storage/database.ts';
import { findReportsOfSource } from './uses.ts';

test('other requests are served while all of an organization’s SQL is searched for a table', async () => {
  const query = `select ${', (sales_1+b)*c/d"e"'.repeat(4_000)}`;
  const rows = Array.from({ length: 15 }, (_, index) => ({
    id: `r${String(index).padStart(2, '0')}`,
    name: 'R',
    isVisible: 1,
    content: JSON.stringify({ query, parameters: [] }),
  }));
  const reader = {
    all: async (_query: unknown, { after }: { after: string }) =>
      rows.filter(({ id }) => id > after).slice(0, 10),
  };
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  // Sound because no other method is called.
  const found = await findReportsOfSource(reader as unknown as Reader, {
    organizationId: 'o',
    id: 's',
    userId: 'u',
    countsAll: true,
    table: 'sales',
  });
  clearImmediate(next);
  assert.equal(found.reportCount, 0);
  assert.ok(turns >= rows.length - 1, `${turns} turns`);
});
