import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWidgetLayout } from './new-widget-layout.ts';

test('a new widget is beside the others where there is room, or below them', () => {
  const at = (x: number, y: number, w: number, h: number) => ({ layout: { x, y, w, h } });
  assert.deepEqual(newWidgetLayout([]), { x: 0, y: 0, w: 6, h: 8 });
  assert.deepEqual(newWidgetLayout([at(0, 0, 6, 8)]), { x: 6, y: 0, w: 6, h: 8 });
  assert.deepEqual(newWidgetLayout([at(0, 0, 6, 8), at(6, 0, 6, 4)]), { x: 6, y: 4, w: 6, h: 8 });
  assert.deepEqual(newWidgetLayout([at(0, 0, 12, 1_000_000)]), { x: 0, y: 1_000_000, w: 6, h: 8 });
});
