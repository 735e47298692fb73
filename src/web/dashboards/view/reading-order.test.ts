import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentOf, type DraftContent } from '../edit/draft/content.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { swapWithNeighbor } from './reading-order.ts';

const contentWith = (...layouts: readonly (readonly [number, number, number, number])[]) =>
  contentOf({
    name: 'Sales',
    widgets: layouts.map(([x, y, w, h], index) => ({
      id: 'abcdefgh'.charAt(index),
      reportId: 'report',
      layout: { x, y, w, h },
      config: {},
    })),
  });
const orderOf = ({ widgets }: DraftContent) =>
  withVisibleLayouts(widgets)
    .map(({ key }) => key)
    .join('');

test('two widgets in a row swap places, and nothing else moves', () => {
  const content = contentWith([0, 0, 4, 4], [4, 0, 8, 4], [0, 4, 12, 2]);
  const moved = swapWithNeighbor(content, 'a', 1);
  assert.deepEqual(
    moved.widgets.map(({ layout: { x, y, w, h } }) => [x, y, w, h]),
    [
      [8, 0, 4, 4],
      [0, 0, 8, 4],
      [0, 4, 12, 2],
    ],
  );
});

test('a widget below a row of two moves between them, and the second moves down', () => {
  const content = contentWith([0, 0, 6, 4], [6, 0, 6, 4], [0, 4, 12, 2]);
  assert.equal(orderOf(swapWithNeighbor(content, 'c', -1)), 'acb');
  assert.equal(orderOf(swapWithNeighbor(content, 'b', 1)), 'acb');
});

test('the first widget cannot move up, and the last cannot move down', () => {
  const content = contentWith([0, 0, 6, 4], [6, 0, 6, 4]);
  assert.equal(swapWithNeighbor(content, 'a', -1), content);
  assert.equal(swapWithNeighbor(content, 'b', 1), content);
});

const layout = fc.tuple(
  fc.integer({ min: 0, max: 8 }),
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 5 }),
);

test('a step always moves a widget past its neighbor', () => {
  fc.assert(
    fc.property(fc.array(layout, { minLength: 2, maxLength: 8 }), fc.nat(6), (layouts, place) => {
      const content = contentWith(...layouts);
      const before = orderOf(content);
      const index = place % (layouts.length - 1);
      const [first, second] = [before.charAt(index), before.charAt(index + 1)];
      const after = orderOf(swapWithNeighbor(content, first, 1));
      assert.ok(after.indexOf(second) < after.indexOf(first), `${before} became ${after}`);
    }),
  );
});
