import { columnsOf, endOf, gridColumns, newWidgetSize, type Layout } from './layout.ts';

/**
 * Returns a layout for each widget, in order: the given one, or else the first free slot for a new widget, row by row from the
 * left.
 *
 * All slots have the same size, so the search for each starts at the last one. In all, this takes no longer than sorting,
 * whatever the layouts are.
 */
export function placeWidgets(layouts: readonly (Layout | undefined)[]): Layout[] {
  const obstacles = layouts
    .filter((layout) => layout !== undefined)
    .toSorted((one, other) => one.y - other.y);
  /** For each column, the row below every layout that starts above the end of the current slot. */
  const freeFrom = Array.from({ length: gridColumns }, () => 0);
  let nextObstacle = 0;
  let y = 0;

  function blockByObstaclesAbove(row: number): void {
    for (
      let obstacle = obstacles[nextObstacle];
      obstacle !== undefined && obstacle.y < row;
      obstacle = obstacles[nextObstacle]
    ) {
      block(obstacle);
      nextObstacle += 1;
    }
  }

  function block(layout: Layout): void {
    for (const column of columnsOf(layout)) {
      freeFrom[column] = Math.max(freeFrom[column] ?? 0, endOf(layout));
    }
  }

  function findFreeColumn(): number | undefined {
    let width = 0;
    for (let column = 0; column < gridColumns; column += 1) {
      width = (freeFrom[column] ?? 0) <= y ? width + 1 : 0;
      if (width === newWidgetSize.w) return column - width + 1;
    }
    return undefined;
  }

  function nextSlot(): Layout {
    for (;;) {
      blockByObstaclesAbove(y + newWidgetSize.h);
      const x = findFreeColumn();
      if (x !== undefined) return { x, y, ...newWidgetSize };
      // No slot fits in this row. The next one that can is where a column becomes free.
      y = Math.min(...freeFrom.filter((row) => row > y));
    }
  }

  return layouts.map((layout) => {
    if (layout !== undefined) return layout;
    const slot = nextSlot();
    block(slot);
    return slot;
  });
}
