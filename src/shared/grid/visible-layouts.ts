import { isOnGrid } from '../content-widgets/content-widgets.ts';
import { compareReadingOrder, gridColumns, type Layout } from './layout.ts';
import { occupiedRows } from './occupied-rows.ts';

/**
 * The height of a row of the grid and the gap between widgets, in pixels. In a window narrower than Mantine's breakpoint
 * `sm`, widgets are shown in one column in reading order.
 */
export const rowHeightPx = 40;
export const gridGapPx = 12;

/** Far more rows than people scroll through, and few enough for browsers to lay out. */
const maxRows = 5_000;

/** Limits the search for free rows, so that a dashboard with very many overlapping widgets doesn't block the page. */
export const maxComparisons = 2_000_000;

/** Returns the height of a widget of `rows` rows, in pixels. */
export const heightOfRowsPx = (rows: number): number => rows * rowHeightPx + (rows - 1) * gridGapPx;

interface Placed {
  readonly layout: Layout;
  readonly reportId?: string;
}

/** Returns items with a layout in the order in which they are read: from the top, and each row from the left. */
export const inReadingOrder = <Item extends Placed>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => compareReadingOrder(one.layout, other.layout));

/**
 * Returns items in reading order, each where it is shown. The API stores any layout: items outside of the grid are moved
 * into it, and items that overlap others are moved down. Widgets that aren't on a grid, such as that of the filters, are left out.
 */
export function withVisibleLayouts<Item extends Placed>(items: readonly Item[]): Item[] {
  const rows = occupiedRows([], maxComparisons);
  const shown = items.filter(({ reportId }) => reportId === undefined || isOnGrid({ reportId }));
  const placed = inReadingOrder(shown).map((item) => {
    const layout = rows.firstFree(withinGrid(item.layout));
    rows.occupy(layout);
    return { ...item, layout };
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

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
