import { columnsOf, endOf, gridColumns, overlap, type Layout } from './layout.ts';

/** The cells that widgets take, to find room below a layout. */
export interface TakenRows {
  /** Returns the layout itself if nothing lies on it, and otherwise the same one in the next rows below that are free. */
  firstFree<Given extends Layout>(layout: Given): Given;
  take(layout: Layout): void;
}

/**
 * Returns the cells that these layouts take. Each search compares the layout with those that are there: after `maxLooks`
 * comparisons in all, a layout goes below everything in its columns, so that no number of widgets takes long.
 */
export function takenRows(layouts: readonly Layout[], maxLooks: number): TakenRows {
  const taken: Layout[] = [];
  const bottoms = Array.from({ length: gridColumns }, () => -Infinity);
  let looksLeft = maxLooks;

  function take(layout: Layout): void {
    taken.push(layout);
    for (const column of columnsOf(layout)) {
      bottoms[column] = Math.max(bottoms[column] ?? -Infinity, endOf(layout));
    }
  }

  function firstFree<Given extends Layout>(layout: Given): Given {
    const bottom = Math.max(...columnsOf(layout).map((column) => bottoms[column] ?? -Infinity));
    let free = layout;
    while (free.y < bottom) {
      looksLeft -= taken.length;
      if (looksLeft < 0) return { ...free, y: bottom };
      const obstacle = taken.find((other) => overlap(other, free));
      // Past the range of exact integers, the row below an obstacle can be the one it begins in.
      if (obstacle === undefined || endOf(obstacle) <= free.y) return free;
      free = { ...free, y: endOf(obstacle) };
    }
    return free;
  }

  for (const layout of layouts) take(layout);
  return { firstFree, take };
}
