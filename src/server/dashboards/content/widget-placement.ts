import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';

export const gridColumns = 12;
const defaultSize = { w: 6, h: 4 };

/**
 * Returns a layout for each widget, in order: the given ones as they are, and for those left out the first free
 * slot of the 12-column grid, row by row and from the left, half the grid wide and 4 high.
 *
 * All slots have one size, so each is found from where the last one was: the time is that of sorting, whatever
 * the layouts are.
 */
export function placeWidgets(layouts: readonly (WidgetLayout | undefined)[]): WidgetLayout[] {
  const obstacles = layouts
    .filter((layout) => layout !== undefined)
    .toSorted((one, other) => one.y - other.y);
  /** For each column, the first row that is free in it, of all that begins above the end of the slot at hand. */
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

  function block({ x, y: top, w, h }: WidgetLayout): void {
    if (w <= 0 || h <= 0) return;
    // Past the range of a double there is no row.
    const end = Math.min(top + h, Number.MAX_VALUE);
    for (let column = Math.max(0, x); column < Math.min(gridColumns, x + w); column += 1) {
      freeFrom[column] = Math.max(freeFrom[column] ?? 0, end);
    }
  }

  function findFreeColumn(): number | undefined {
    let width = 0;
    for (let column = 0; column < gridColumns; column += 1) {
      width = (freeFrom[column] ?? 0) <= y ? width + 1 : 0;
      if (width === defaultSize.w) return column - width + 1;
    }
    return undefined;
  }

  function nextSlot(): WidgetLayout {
    for (;;) {
      blockByObstaclesAbove(y + defaultSize.h);
      const x = findFreeColumn();
      if (x !== undefined) return { x, y, ...defaultSize };
      // No slot begins in this row: the next one that can is where a column becomes free.
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
