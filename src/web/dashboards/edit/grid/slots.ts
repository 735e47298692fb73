import { compareReadingOrder, gridColumns, type Layout } from '#shared/grid/layout.ts';
import { occupiedRows, type OccupiedRows } from '#shared/grid/occupied-rows.ts';
import { inReadingOrder, maxComparisons } from '#shared/grid/visible-layouts.ts';

type Size = Pick<Layout, 'w' | 'h'>;

/** Returns the first free place of this size on the grid, in reading order. */
export const firstFreeSlot = (layouts: readonly Layout[], size: Size): Layout =>
  freeSlotAfter(occupiedRows(layouts, maxComparisons), size, { x: -1, y: 0 });

/**
 * Returns items without the gaps between them: each is in the first place after the one before in reading order, in which it
 * fits. Their order and sizes stay the same.
 */
export function withoutGaps<Item extends { readonly layout: Layout }>(items: readonly Item[]): Item[] {
  const rows = occupiedRows([], maxComparisons);
  let last = { x: -1, y: 0 };
  return inReadingOrder(items).map((item) => {
    const layout = freeSlotAfter(rows, item.layout, last);
    rows.occupy(layout);
    last = layout;
    return { ...item, layout };
  });
}

function freeSlotAfter(rows: OccupiedRows, { w, h }: Size, last: Pick<Layout, 'x' | 'y'>): Layout {
  const slots = Array.from({ length: gridColumns - w + 1 }, (_, x) =>
    rows.firstFree({ x, y: x > last.x ? last.y : last.y + 1, w, h }),
  );
  const [first] = slots.toSorted(compareReadingOrder);
  if (first === undefined) throw new Error('Every widget is at most as wide as the grid.');
  return first;
}
