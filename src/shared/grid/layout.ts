/** The position of a widget on the grid of a dashboard, in cells from the left and from the top, and its size in cells. */
export interface Layout {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const gridColumns = 12;

/** The size of a widget that is added without a layout. */
export const newWidgetSize = { w: 6, h: 4 } as const;

/** Whether two layouts share a cell of the grid. A layout outside the grid or without area shares none. */
export const overlap = (one: Layout, other: Layout): boolean =>
  Math.max(one.y, other.y) < Math.min(endOf(one), endOf(other)) &&
  Math.max(one.x, other.x, 0) < Math.min(one.x + one.w, other.x + other.w, gridColumns);

/** Returns the row below a layout. Layouts can have any integers, so the sum is limited to the range of a double. */
export const endOf = ({ y, h }: Layout): number => Math.min(y + h, Number.MAX_VALUE);

/** Returns the columns of the grid that a layout covers; none if it has no area or is outside the grid. */
export function columnsOf({ x, w, h }: Layout): number[] {
  if (h <= 0) return [];
  const from = Math.max(0, x);
  const to = Math.min(gridColumns, x + w);
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Compares layouts by reading order: from top to bottom, then from left to right. */
export const compareReadingOrder = (one: Layout, other: Layout): number => one.y - other.y || one.x - other.x;
