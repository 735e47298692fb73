import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { columnsOf, compareReadingOrder, endOf, gridColumns } from '#shared/grid/layout.ts';
import { occupiedRows } from '#shared/grid/occupied-rows.ts';

/** A widget of a merge, and which sides have it at exactly this layout. */
export interface MergedLayout {
  readonly id: string;
  readonly layout: WidgetLayout;
  readonly isOfMine: boolean;
  readonly isOfTheirs: boolean;
}

/**
 * Returns new layouts for widgets that overlap because of a merge: of two widgets that overlap on neither side, the later one
 * in reading order moves down to the next free rows. Widgets that already overlap on one side stay.
 */
export function separateLayouts(widgets: readonly MergedLayout[]): Map<string, WidgetLayout> {
  const moving = findCollisions(widgets);
  if (moving.length === 0) return new Map();
  const ids = new Set(moving.map(({ id }) => id));
  const rows = occupiedRows(
    widgets.filter(({ id }) => !ids.has(id)).map(({ layout }) => layout),
    maxComparisons,
  );
  return new Map(
    moving.map(({ id, layout }) => {
      const free = rows.firstFree(layout);
      rows.occupy(free);
      return [id, free];
    }),
  );
}

/** Limits the time of a merge, however many widgets were moved. */
const maxComparisons = 200_000;

/** Returns the widgets to move, in reading order. */
function findCollisions(widgets: readonly MergedLayout[]): MergedLayout[] {
  const oneSided = widgets.filter((widget) => widget.isOfMine !== widget.isOfTheirs).toSorted(inReadingOrder);
  // For each column, the row down to which the widgets of a side reach so far.
  const ofMine = columns(-Infinity);
  const ofTheirs = columns(-Infinity);
  return oneSided.filter(({ layout, isOfMine }) => {
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
