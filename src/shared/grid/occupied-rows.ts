import { columnsOf, endOf, gridColumns, overlap, type Layout } from './layout.ts';

/** The cells that widgets occupy, for finding free space below a layout. */
export interface OccupiedRows {
  /** Returns the layout itself if it overlaps nothing, or else the same one moved down to the next free rows. */
  firstFree<Given extends Layout>(layout: Given): Given;
  occupy(layout: Layout): void;
}

/**
 * Returns the cells that these layouts occupy. Each search compares a layout with the others. After `maxComparisons` in all, a
 * layout is put below everything in its columns, so that even many widgets don't occupy long.
 */
export function occupiedRows(layouts: readonly Layout[], maxComparisons: number): OccupiedRows {
  const occupied: Layout[] = [];
  const bottoms = Array.from({ length: gridColumns }, () => -Infinity);
  let comparisonsLeft = maxComparisons;

  function occupy(layout: Layout): void {
    occupied.push(layout);
    for (const column of columnsOf(layout)) {
      bottoms[column] = Math.max(bottoms[column] ?? -Infinity, endOf(layout));
    }
  }

  function firstFree<Given extends Layout>(layout: Given): Given {
    const bottom = Math.max(...columnsOf(layout).map((column) => bottoms[column] ?? -Infinity));
    let free = layout;
    while (free.y < bottom) {
      comparisonsLeft -= occupied.length;
      if (comparisonsLeft < 0) return { ...free, y: bottom };
      const obstacle = occupied.find((other) => overlap(other, free));
      // Beyond the range of exact integers, the row below an obstacle can be the one that it starts in.
      if (obstacle === undefined || endOf(obstacle) <= free.y) return free;
      free = { ...free, y: endOf(obstacle) };
    }
    return free;
  }

  for (const layout of layouts) occupy(layout);
  return { firstFree, occupy };
}
