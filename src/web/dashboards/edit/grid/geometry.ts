import { compareReadingOrder, gridColumns, type Layout } from '#shared/grid/layout.ts';
import { occupiedRows } from '#shared/grid/occupied-rows.ts';

/**
 * The height of a row of the grid and the gap between widgets, in pixels. In a window narrower than Mantine's breakpoint
 * `sm`, widgets lie one below the other in reading order.
 */
export const rowHeightPx = 40;
export const gridGapPx = 12;

/** Far more than people scroll through, and no more than browsers lay out. */
const maxRows = 5_000;

/** So that a dashboard of very many widgets that lie on each other does not block the page. */
export const maxLooks = 2_000_000;

/** How high a widget of `rows` rows is, in pixels. */
export const heightOfRowsPx = (rows: number): number => rows * rowHeightPx + (rows - 1) * gridGapPx;

interface Placed {
  readonly layout: Layout;
}

/** Returns things that have a layout in the order in which they are read: from the top, and each row from the left. */
export const inReadingOrder = <Thing extends Placed>(things: readonly Thing[]): Thing[] =>
  things.toSorted((one, other) => compareReadingOrder(one.layout, other.layout));

/**
 * Returns things in reading order, each where it can be seen. Layouts are stored as they were given: what lies outside
 * of the grid is moved into it, and what lies on another is moved down.
 */
export function withVisibleLayouts<Thing extends Placed>(things: readonly Thing[]): Thing[] {
  const rows = occupiedRows([], maxLooks);
  const placed = inReadingOrder(things).map((thing) => {
    const layout = rows.firstFree(withinGrid(thing.layout));
    rows.occupy(layout);
    return { ...thing, layout };
  });
  return inReadingOrder(placed);
}

function withinGrid({ x, y, w, h }: Layout): Layout {
  const width = clamp(w, 1, gridColumns);
  return {
    x: clamp(x, 0, gridColumns - width),
    y: clamp(y, 0, maxRows),
    w: width,
    h: clamp(h, 1, maxRows),
  };
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
