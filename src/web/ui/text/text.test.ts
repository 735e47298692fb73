import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from './bytes.ts';
import { relativeTime } from './times.ts';

const now = Date.UTC(2026, 10, 21, 12);
const timesAgo = [
  [0, 'just now'],
  [44_000, 'just now'],
  [2 * 60_000, '2 minutes ago'],
  [60 * 60_000, '1 hour ago'],
  [-3 * 3_600_000, 'in 3 hours'],
  [26 * 3_600_000, 'yesterday'],
  [6 * 86_400_000, '6 days ago'],
  [8 * 86_400_000, /2026/],
] as const;

for (const [ago, text] of timesAgo) {
  test(`${ago / 1_000} seconds ago is shown as ${String(text)}`, () => {
    const shown = relativeTime(new Date(now - ago).toISOString(), now);
    if (typeof text === 'string') assert.equal(shown, text);
    else assert.match(shown, text);
  });
}

test('sizes and counts are readable', () => {
  assert.deepEqual(
    [0, 999, 1_000, 12_345, 2_000_000_000, 5e15].map((bytes) => formatBytes(bytes)),
    ['0 B', '999 B', '1.0 kB', '12 kB', '2.0 GB', '5000 TB'],
  );
});
