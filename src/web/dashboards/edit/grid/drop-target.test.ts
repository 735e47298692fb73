import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutAt } from './drop-target.ts';

test('a widget is dropped on the cell that is nearest to its corner, within the grid', () => {
  const size = { w: 6, h: 4 };
  const at = (x: number, y: number) => layoutAt({ x, y }, 1188, size);
  assert.deepEqual(at(0, 0), { x: 0, y: 0, ...size });
  assert.deepEqual(at(149, 51), { x: 1, y: 1, ...size });
  assert.deepEqual(at(155, 80), { x: 2, y: 2, ...size });
  assert.deepEqual(at(-300, -20), { x: 0, y: 0, ...size });
  assert.deepEqual(at(1100, 2_600), { x: 6, y: 50, ...size });
});
