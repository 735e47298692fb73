import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';

/**
 * The grid of a dashboard: how many columns, and the height of a row and the gap between widgets in pixels. Where the
 * window is narrower than Mantine's breakpoint `sm`, widgets lie one below the other in reading order.
 */
export const gridColumns = 12;
export const rowHeightPx = 40;
export const gridGapPx = 12;

/** Far more than people scroll through, and no more than browsers lay out. */
const maxRows = 5_000;

/** So that a dashboard of very many widgets that lie on each other does not hold the page: past it, they go to the end. */
export const maxLooks = 2_000_000;

/** How high a widget of `rows` rows is, in pixels. */
export const heightOfRowsPx = (rows: number): number => rows * rowHeightPx + (rows - 1) * gridGapPx;

interface Placed {
  readonly layout: WidgetLayout;
}

/** Returns things that have a layout in the order in which they are read: from the top, and each row from the left. */
export const inReadingOrder = <Thing extends Placed>(things: readonly Thing[]): Thing[] =>
  things.toSorted((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x);

/**
 * Returns things in reading order, each where it can be seen. Layouts are stored as they were given: what lies outside
 * of the grid is moved into it, and what lies on another is moved down.
 */
export function withVisibleLayouts<Thing extends Placed>(things: readonly Thing[]): Thing[] {
  const placed: Thing[] = [];
  const bottoms = Array.from({ length: gridColumns }, () => 0);
  let looksLeft = maxLooks;
  for (const thing of inReadingOrder(things)) {
    const layout = withinGrid(thing.layout);
    const bottom = Math.max(...bottoms.slice(layout.x, layout.x + layout.w));
    // Where nothing reaches so far down there is nothing to look for.
    while (layout.y < bottom) {
      looksLeft -= placed.length;
      const obstacle = looksLeft < 0 ? undefined : placed.find((other) => overlap(other.layout, layout));
      if (obstacle === undefined && looksLeft >= 0) break;
      layout.y = obstacle === undefined ? bottom : obstacle.layout.y + obstacle.layout.h;
    }
    bottoms.fill(Math.max(bottom, layout.y + layout.h), layout.x, layout.x + layout.w);
    placed.push({ ...thing, layout });
  }
  return inReadingOrder(placed);
}

function withinGrid({ x, y, w, h }: WidgetLayout): WidgetLayout {
  const width = clamp(w, 1, gridColumns);
  return {
    x: clamp(x, 0, gridColumns - width),
    y: clamp(y, 0, maxRows),
    w: width,
    h: clamp(h, 1, maxRows),
  };
}

const overlap = (a: WidgetLayout, b: WidgetLayout): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
