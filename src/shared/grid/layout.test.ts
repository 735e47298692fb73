import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, overlap, type Layout } from './layout.ts';

const at = (x: number, y: number, w: number, h: number): Layout => ({ x, y, w, h });

const pairs: readonly [Layout, Layout, boolean][] = [
  [at(0, 0, 6, 4), at(5, 3, 2, 2), true],
  [at(0, 0, 6, 4), at(6, 0, 6, 4), false],
  [at(0, 0, 6, 4), at(0, 4, 6, 4), false],
  [at(0, 0, 12, 4), at(3, 1, 1, 1), true],
  // Without area
  [at(0, 0, 6, 4), at(1, 1, 0, 2), false],
  [at(0, 0, 6, 4), at(1, 1, 2, 0), false],
  [at(0, 0, 6, 4), at(3, 3, -2, -2), false],
  // Partly or wholly outside the columns of the grid
  [at(10, 0, 6, 4), at(13, 0, 6, 4), false],
  [at(-4, 0, 4, 4), at(-4, 0, 4, 4), false],
  [at(-4, 0, 5, 4), at(0, 0, 1, 1), true],
  // Beyond the range of a double
  [at(0, 1e308, 6, 1e308), at(0, 1.5e308, 6, 1e308), true],
];
for (const [one, other, doOverlap] of pairs) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} ${doOverlap ? 'overlap' : 'do not overlap'}`, () => {
    assert.deepEqual([overlap(one, other), overlap(other, one)], [doOverlap, doOverlap]);
  });
}

test('a layout covers only columns of the grid', () => {
  assert.deepEqual(columnsOf(at(10, 0, 40, 1)), [10, 11]);
  assert.deepEqual(columnsOf(at(-3, 0, 5, 1)), [0, 1]);
  assert.deepEqual(columnsOf(at(0, 0, 5, 0)), []);
  assert.deepEqual(columnsOf(at(13, 0, 5, 1)), []);
});
