import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dragTo, moveByKey, startDrag } from './gestures.ts';

test('a press moves an end, the range, or starts a new one', () => {
  const range = { from: 10, to: 20 };
  const drag = (at: number, to: number, of: typeof range | undefined = range) =>
    dragTo(startDrag(of, at, 1), to, 100);
  assert.deepEqual(drag(10.5, 5), { from: 5, to: 20 });
  assert.deepEqual(drag(19.2, 30), { from: 10, to: 30 });
  assert.deepEqual(drag(19.2, 4), { from: 4, to: 10 });
  assert.deepEqual(drag(15, 18.2), { from: 13, to: 23 });
  assert.deepEqual(drag(15, -50), { from: 0, to: 10 });
  assert.deepEqual(drag(15, 500), { from: 90, to: 100 });
  assert.deepEqual(drag(40.2, 43.6), { from: 40, to: 44 });
  assert.deepEqual(drag(40.2, 40.4), undefined);
  assert.deepEqual(dragTo(startDrag(undefined, -3, 1), 130, 100), { from: 0, to: 100 });
});

test('keys move an end, or the range with Shift, within the chart', () => {
  const axis = { count: 100, perBin: 5 };
  const press = (key: string, side: 'from' | 'to', shiftKey = false, range = { from: 10, to: 12 }) =>
    moveByKey(range, side, { key, shiftKey }, axis);
  assert.deepEqual(press('ArrowRight', 'from'), { from: 11, to: 12 });
  assert.deepEqual(press('PageUp', 'from'), { from: 11, to: 12 });
  assert.deepEqual(press('PageUp', 'to'), { from: 10, to: 17 });
  assert.deepEqual(press('Home', 'from'), { from: 0, to: 12 });
  assert.deepEqual(press('End', 'to'), { from: 10, to: 100 });
  assert.deepEqual(press('ArrowLeft', 'to', true), { from: 9, to: 11 });
  assert.deepEqual(press('Home', 'to', true), { from: 0, to: 2 });
  assert.equal(press('a', 'to'), undefined);
});
