import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markOfRow } from '#charts/marks/mark.ts';
import { maxMarkLength } from '#shared/comments.ts';
import { markTarget } from './mark-target.ts';

function targetOf(row: readonly unknown[]) {
  const columns = row.map(
    (_, index) => ({ name: `c${index}`, type: 'text', sourceType: '', index }) as const,
  );
  return markTarget(markOfRow(columns, [], row), { columns, rows: [row] });
}

test('a comment is about the values of a mark, and objects are left out', () => {
  assert.deepEqual(targetOf(['May', 12.5, true, null, { a: 1 }]), {
    values: { c0: 'May', c1: 12.5, c2: true, c3: null, c4: null },
    text: 'May · 12.5 · Yes · – · {"a":1}',
  });
  assert.equal(targetOf([]), undefined);
});

test('long texts are cut off, so that the server accepts the value', () => {
  assert.equal(targetOf(['x'.repeat(5_000)])?.values['c0'], 'x'.repeat(300));
  for (const text of ['x', '"', '\u{1F600}']) {
    const target = targetOf(Array.from({ length: 25 }, () => text.repeat(5_000)));
    assert.equal(Object.keys(target?.values ?? {}).length, 20);
    assert.ok(JSON.stringify(target).length <= maxMarkLength);
  }
});
