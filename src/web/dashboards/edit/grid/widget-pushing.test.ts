import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { placeWidgets } from '#shared/grid/placement.ts';
import { watchThreadCpuTime } from '../../../../../tests/support/cpu-time.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { moveAndPush, type Placed } from './widget-pushing.ts';

const at = (key: string, x: number, y: number, w: number, h: number): Placed => ({
  key,
  layout: { x, y, w, h },
});
const layoutsOf = (widgets: readonly Placed[]) =>
  Object.fromEntries(widgets.map(({ key, layout: { x, y, w, h } }) => [key, `${x},${y} ${w}×${h}`]));

const row = [at('a', 0, 0, 4, 4), at('b', 4, 0, 4, 4), at('c', 8, 0, 4, 4), at('d', 4, 4, 4, 2)];

test('widgets under a resized widget move down and push those below, and its neighbors stay', () => {
  assert.deepEqual(layoutsOf(moveAndPush(row, 'a', { x: 0, y: 0, w: 6, h: 4 })), {
    a: '0,0 6×4',
    b: '4,4 4×4',
    c: '8,0 4×4',
    d: '4,8 4×2',
  });
});

test('a move to empty cells moves no other widgets', () => {
  assert.deepEqual(layoutsOf(moveAndPush(row, 'c', { x: 8, y: 20, w: 4, h: 4 })), {
    a: '0,0 4×4',
    b: '4,0 4×4',
    c: '8,20 4×4',
    d: '4,4 4×2',
  });
});

test('moving a widget to its own place changes nothing', () => {
  assert.deepEqual(moveAndPush(row, 'a', row[0]!.layout), row);
});

test('widgets that do not move are the same objects', () => {
  const moved = moveAndPush(row, 'a', { x: 0, y: 0, w: 4, h: 5 });
  assert.deepEqual(
    moved.map((widget, index) => widget === row[index]),
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

test('widgets never overlap, move sideways or up, or change size', () => {
  fc.assert(
    fc.property(fc.array(layout, { minLength: 1, maxLength: 12 }), layout, (layouts, target) => {
      const widgets = apart(layouts);
      const moved = moveAndPush(widgets, '0', target);
      for (const [index, { key, layout }] of moved.entries()) {
        const before = widgets[index]!.layout;
        if (key === '0') assert.deepEqual(layout, target);
        else {
          assert.ok(layout.y >= before.y);
          assert.deepEqual({ ...layout, y: before.y }, before);
        }
      }
      assert.equal(countOverlaps(moved), 0);
    }),
  );
});

/** Returns widgets that don't overlap. */
const apart = (layouts: readonly WidgetLayout[]): Placed[] =>
  layouts.reduce<Placed[]>(
    (widgets, layout, index) => moveAndPush([...widgets, { key: `${index}`, layout }], `${index}`, layout),
    [],
  );

function countOverlaps(widgets: readonly Placed[]): number {
  const cells = widgets.flatMap(({ layout: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  return cells.length - new Set(cells).size;
}

test('very many widgets in one place do not block the page', () => {
  const many = Array.from({ length: 15_000 }, (_, index) => at(`${index}`, 0, 0, 6, 4));
  const elapsedMs = watchThreadCpuTime();
  const visible = withVisibleLayouts(many);
  const bottoms = new Set(visible.map(({ layout }) => layout.y));
  assert.equal(bottoms.size, many.length, 'each has its own place');
  moveAndPush(visible, '14999', { x: 0, y: 0, w: 12, h: 4 });
  placeWidgets([...visible.map(({ layout }) => layout), undefined]);
  assert.ok(elapsedMs() < 1_500, `${elapsedMs()} ms`);
});
