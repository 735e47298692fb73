import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { columnsOf, compareReadingOrder, endOf, gridColumns } from '#shared/grid/layout.ts';
import { occupiedRows } from '#shared/grid/occupied-rows.ts';

/** A widget of a merge, and which sides have it at exactly this layout of the same grid. */
export interface MergedLayout {
  readonly id: string;
  /** The key of the tab or section whose grid it is on. */
  readonly grid: string;
  readonly layout: WidgetLayout;
  readonly isOfMine: boolean;
  readonly isOfTheirs: boolean;
}

/**
 * Returns new layouts for widgets that overlap because of a merge: of two widgets that overlap on neither side, the later one
 * in reading order moves down to the next free rows. Widgets that already overlap on one side stay.
 */
export function separateLayouts(widgets: readonly MergedLayout[]): Map<string, WidgetLayout> {
  const grids = [...Map.groupBy(widgets, ({ grid }) => grid).values()];
  const maxComparisons = maxComparisonsInAll / grids.length;
  return new Map(grids.flatMap((each) => separateOnGrid(each, maxComparisons)));
}

/** Limits the time of a merge, however many widgets were moved. */
const maxComparisonsInAll = 200_000;

function separateOnGrid(
  widgets: readonly MergedLayout[],
  maxComparisons: number,
): (readonly [id: string, layout: WidgetLayout])[] {
  const moving = findCollisions(widgets);
  if (moving.length === 0) return [];
  const ids = new Set(moving.map(({ id }) => id));
  const rows = occupiedRows(
    widgets.filter(({ id }) => !ids.has(id)).map(({ layout }) => layout),
    maxComparisons,
  );
  return moving.map(({ id, layout }) => {
    const free = rows.firstFree(layout);
    rows.occupy(free);
    return [id, free] as const;
  });
}

/** Returns the widgets to move, in reading order. */
function findCollisions(widgets: readonly MergedLayout[]): MergedLayout[] {
  const changed = widgets.filter(({ isOfMine, isOfTheirs }) => !(isOfMine && isOfTheirs));
  // For each column, the row down to which the widgets of a side reach so far.
  const ofMine = columns(-Infinity);
  const ofTheirs = columns(-Infinity);
  return changed.toSorted(inReadingOrder).filter(({ layout, isOfMine, isOfTheirs }) => {
    // A widget that one side put on a grid and the other moved within another one, or whose tab the other side removed.
    if (!isOfMine && !isOfTheirs) return true;
    const [own, other] = isOfMine ? [ofMine, ofTheirs] : [ofTheirs, ofMine];
    const covered = columnsOf(layout);
    if (covered.some((column) => (other[column] ?? 0) > layout.y)) return true;
    for (const column of covered) own[column] = Math.max(own[column] ?? 0, endOf(layout));
    return false;
  });
}

const columns = (row: number): number[] => Array.from({ length: gridColumns }, () => row);

const inReadingOrder = (one: MergedLayout, other: MergedLayout): number =>
  compareReadingOrder(one.layout, other.layout) || (one.id < other.id ? -1 : 1);
