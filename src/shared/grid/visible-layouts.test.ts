import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heightOfRowsPx, withVisibleLayouts } from './visible-layouts.ts';

const at = (id: string, x: number, y: number, w = 4, h = 2) => ({ id, layout: { x, y, w, h } });

test('the height of a widget includes the gaps between its rows', () => {
  assert.deepEqual([1, 2, 4].map(heightOfRowsPx), [40, 92, 196]);
});

test('widgets are returned in reading order, with their layouts unchanged', () => {
  const widgets = [at('c', 0, 2), at('b', 4, 0), at('a', 0, 0)];
  assert.deepEqual(withVisibleLayouts(widgets), widgets.toReversed());
});

test('a widget outside of the grid is moved into it', () => {
  assert.deepEqual(withVisibleLayouts([at('a', 11, -3, 40, 0), at('b', 10, 1, 3, 1)]), [
    at('a', 0, 0, 12, 1),
    at('b', 9, 1, 3, 1),
  ]);
});

test('overlapping widgets are moved down', () => {
  assert.deepEqual(withVisibleLayouts([at('a', 0, 0), at('b', 2, 1), at('c', 0, 3), at('d', 8, 0)]), [
    at('a', 0, 0),
    at('d', 8, 0),
    at('b', 2, 2),
    at('c', 0, 4),
  ]);
});
