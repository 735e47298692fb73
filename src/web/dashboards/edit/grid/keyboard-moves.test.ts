import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutAfterKey } from './keyboard-moves.ts';

const layout = { x: 0, y: 0, w: 2, h: 3 };
for (const [key, isShift, from, to] of [
  ['ArrowRight', false, layout, { x: 1, y: 0, w: 2, h: 3 }],
  ['ArrowDown', false, layout, { x: 0, y: 1, w: 2, h: 3 }],
  ['ArrowLeft', false, layout, layout],
  ['ArrowUp', false, layout, layout],
  ['ArrowRight', false, { ...layout, x: 10 }, { ...layout, x: 10 }],
  ['ArrowRight', true, layout, { ...layout, w: 3 }],
  ['ArrowRight', true, { ...layout, x: 10 }, { ...layout, x: 10 }],
  ['ArrowLeft', true, layout, layout],
  ['ArrowUp', true, layout, { ...layout, h: 2 }],
  ['ArrowUp', true, { ...layout, h: 1 }, { ...layout, h: 1 }],
  ['Enter', false, layout, undefined],
  ['constructor', false, layout, undefined],
] as const) {
  test(`${isShift ? 'Shift ' : ''}${key} from ${JSON.stringify(from)}`, () => {
    assert.deepEqual(layoutAfterKey(from, key, isShift, { w: 2, h: 2 }), to);
  });
}

test('a heading can be one row high', () => {
  const after = layoutAfterKey({ ...layout, h: 2 }, 'ArrowUp', true, { w: 2, h: 1 });
  assert.deepEqual(after, { ...layout, h: 1 });
});
