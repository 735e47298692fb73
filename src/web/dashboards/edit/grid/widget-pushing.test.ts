import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { placeWidgets } from '#shared/grid/placement.ts';
import { watchThreadCpuTime } from '../../../../../tests/support/cpu-time.ts';
import { withVisibleLayouts } from './geometry.ts';
import { layAt, type Placed } from './widget-pushing.ts';

const at = (key: string, x: number, y: number, w: number, h: number): Placed => ({
  key,
  layout: { x, y, w, h },
});
const layoutsOf = (things: readonly Placed[]) =>
  Object.fromEntries(things.map(({ key, layout: { x, y, w, h } }) => [key, `${x},${y} ${w}×${h}`]));

const row = [at('a', 0, 0, 4, 4), at('b', 4, 0, 4, 4), at('c', 8, 0, 4, 4), at('d', 4, 4, 4, 2)];

test('what a widget is resized over moves down and pushes what is below, and its neighbours stay', () => {
  assert.deepEqual(layoutsOf(layAt(row, 'a', { x: 0, y: 0, w: 6, h: 4 })), {
    a: '0,0 6×4',
    b: '4,4 4×4',
    c: '8,0 4×4',
    d: '4,8 4×2',
  });
});

test('what is over empty cells moves nothing', () => {
  assert.deepEqual(layoutsOf(layAt(row, 'c', { x: 8, y: 20, w: 4, h: 4 })), {
    a: '0,0 4×4',
    b: '4,0 4×4',
    c: '8,20 4×4',
    d: '4,4 4×2',
  });
});

test('a widget that is laid back leaves all as it was', () => {
  assert.deepEqual(layAt(row, 'a', row[0]!.layout), row);
});

test('things that do not move are the same objects', () => {
  const laid = layAt(row, 'a', { x: 0, y: 0, w: 4, h: 5 });
  assert.deepEqual(
    laid.map((thing, index) => thing === row[index]),
    [false, true, true, true],
  );
});

const layout = fc.record(
  {
    x: fc.integer({ min: 0, max: 8 }),
    y: fc.integer({ min: 0, max: 12 }),
    w: fc.integer({ min: 1, max: 4 }),
    h: fc.integer({ min: 1, max: 5 }),
  },
  { noNullPrototype: true },
);

test('no widgets ever overlap, none moves sideways or up, and none changes its size', () => {
  fc.assert(
    fc.property(fc.array(layout, { minLength: 1, maxLength: 12 }), layout, (layouts, target) => {
      const things = apart(layouts);
      const laid = layAt(things, '0', target);
      for (const [index, { key, layout }] of laid.entries()) {
        const before = things[index]!.layout;
        if (key === '0') assert.deepEqual(layout, target);
        else {
          assert.ok(layout.y >= before.y);
          assert.deepEqual({ ...layout, y: before.y }, before);
        }
      }
      assert.equal(countOverlaps(laid), 0);
    }),
  );
});

/** Returns widgets that do not lie on each other. */
const apart = (layouts: readonly WidgetLayout[]): Placed[] =>
  layouts.reduce<Placed[]>(
    (things, layout, index) => layAt([...things, { key: `${index}`, layout }], `${index}`, layout),
    [],
  );

function countOverlaps(things: readonly Placed[]): number {
  const cells = things.flatMap(({ layout: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  return cells.length - new Set(cells).size;
}

test('very many widgets on one place do not hold the page', () => {
  const many = Array.from({ length: 15_000 }, (_, index) => at(`${index}`, 0, 0, 6, 4));
  const elapsedMs = watchThreadCpuTime();
  const visible = withVisibleLayouts(many);
  const bottoms = new Set(visible.map(({ layout }) => layout.y));
  assert.equal(bottoms.size, many.length, 'each lies on a place of its own');
  layAt(visible, '14999', { x: 0, y: 0, w: 12, h: 4 });
  placeWidgets([...visible.map(({ layout }) => layout), undefined]);
  assert.ok(elapsedMs() < 1_500, `${elapsedMs()} ms`);
});
