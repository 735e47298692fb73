import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { overlap } from '#shared/grid/layout.ts';
import { firstFreeSlot, withoutGaps } from './slots.ts';

type Numbers = readonly [x: number, y: number, w: number, h: number];
const layoutOf = ([x, y, w, h]: Numbers) => ({ x, y, w, h });
const tidied = (...layouts: readonly Numbers[]): Numbers[] =>
  withoutGaps(layouts.map((each) => ({ layout: layoutOf(each) }))).map(({ layout: { x, y, w, h } }) => [
    x,
    y,
    w,
    h,
  ]);

test('a widget is put into the first place in which it fits', () => {
  const layouts = (
    [
      [0, 0, 6, 4],
      [9, 0, 3, 2],
    ] as const
  ).map(layoutOf);
  assert.deepEqual(firstFreeSlot(layouts, { w: 3, h: 2 }), { x: 6, y: 0, w: 3, h: 2 });
  assert.deepEqual(firstFreeSlot(layouts, { w: 6, h: 4 }), { x: 6, y: 2, w: 6, h: 4 });
  assert.deepEqual(firstFreeSlot(layouts, { w: 12, h: 7 }), { x: 0, y: 4, w: 12, h: 7 });
  assert.deepEqual(firstFreeSlot([], { w: 4, h: 5 }), { x: 0, y: 0, w: 4, h: 5 });
});

test('gaps beside and above widgets are closed', () => {
  assert.deepEqual(tidied([4, 3, 4, 2], [8, 3, 4, 2], [0, 9, 12, 3]), [
    [0, 0, 4, 2],
    [4, 0, 4, 2],
    [0, 2, 12, 3],
  ]);
});

test('a grid without gaps stays as it is', () => {
  const full: Numbers[] = [
    [0, 0, 6, 8],
    [6, 0, 6, 4],
    [6, 4, 6, 4],
    [0, 8, 3, 2],
    [3, 8, 9, 2],
  ];
  assert.deepEqual(tidied(...full), full);
});

const layout = fc.tuple(
  fc.nat(8),
  fc.nat(30),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 5 }),
);

test('nothing overlaps, and the order and the sizes stay the same', () => {
  fc.assert(
    fc.property(fc.array(layout, { maxLength: 12 }), (layouts) => {
      const before = layouts.toSorted(([x, y], [otherX, otherY]) => y - otherY || x - otherX);
      const after = tidied(...layouts);
      assert.deepEqual(
        after.map(([, , ...size]) => size),
        before.map(([, , ...size]) => size),
      );
      for (const [index, one] of after.entries()) {
        for (const other of after.slice(index + 1)) {
          assert.ok(!overlap(layoutOf(one), layoutOf(other)));
          assert.ok(one[1] < other[1] || (one[1] === other[1] && one[0] < other[0]));
        }
      }
    }),
  );
});
