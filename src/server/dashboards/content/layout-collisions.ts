import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { gridColumns } from './widget-placement.ts';

/** A widget of a merge, and on which sides it lies just so. */
export interface MergedLayout {
  readonly id: string;
  readonly layout: WidgetLayout;
  readonly isOfMine: boolean;
  readonly isOfTheirs: boolean;
}

/**
 * Returns new layouts for widgets that a merge has put onto each other: of two that overlap and that no side has laid
 * so, the later in reading order moves down to the next free rows. What a side has laid onto each other itself stays.
 */
export function separateLayouts(widgets: readonly MergedLayout[]): Map<string, WidgetLayout> {
  const moving = findCollisions(widgets);
  if (moving.length === 0) return new Map();
  const ids = new Set(moving.map(({ id }) => id));
  const rows = takenRows(widgets.filter(({ id }) => !ids.has(id)).map(({ layout }) => layout));
  return new Map(moving.map(({ id, layout }) => [id, { ...layout, y: rows.takeFirstFree(layout) }]));
}

/** So that no pair of edits, however many widgets they move, keeps the server from others: past it, all go to the end. */
const maxLooks = 200_000;

/** Returns those that move, in reading order. */
function findCollisions(widgets: readonly MergedLayout[]): MergedLayout[] {
  const oneSided = widgets.filter((widget) => widget.isOfMine !== widget.isOfTheirs).toSorted(inReadingOrder);
  // For each column, how far down the widgets of a side reach so far.
  const ofMine = columns(-Infinity);
  const ofTheirs = columns(-Infinity);
  return oneSided.filter(({ layout, isOfMine }) => {
    const [own, other] = isOfMine ? [ofMine, ofTheirs] : [ofTheirs, ofMine];
    const covered = columnsOf(layout);
    if (covered.some((column) => (other[column] ?? 0) > layout.y)) return true;
    for (const column of covered) own[column] = Math.max(own[column] ?? 0, layout.y + layout.h);
    return false;
  });
}

const columns = (row: number): number[] => Array.from({ length: gridColumns }, () => row);

/** The columns of the grid that a layout takes; none when it has no area or lies beside the grid. */
function columnsOf({ x, w, h }: WidgetLayout): number[] {
  if (h <= 0) return [];
  const from = Math.max(0, x);
  const to = Math.min(gridColumns, x + w);
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Where layouts are put between those that lie already. */
function takenRows(layouts: readonly WidgetLayout[]): { takeFirstFree(layout: WidgetLayout): number } {
  const taken = [...layouts];
  const bottoms = columns(-Infinity);
  for (const layout of layouts) lowerBottoms(layout);
  let looksLeft = maxLooks;

  function lowerBottoms(layout: WidgetLayout): void {
    for (const column of columnsOf(layout)) {
      bottoms[column] = Math.max(bottoms[column] ?? 0, endOf(layout));
    }
  }

  function firstFreeRow(layout: WidgetLayout): number {
    let { y } = layout;
    for (;;) {
      looksLeft -= taken.length;
      if (looksLeft < 0) return Math.max(y, ...columnsOf(layout).map((column) => bottoms[column] ?? 0));
      const placed = { ...layout, y };
      const next = Math.min(
        ...taken.filter((other) => overlaps(placed, other)).map((other) => other.y + other.h),
      );
      // Nothing is in the way; or, past the range of exact integers, the next row is not behind this one.
      if (next === Infinity || next <= y) return y;
      y = next;
    }
  }

  return {
    takeFirstFree(layout) {
      const y = firstFreeRow(layout);
      taken.push({ ...layout, y });
      lowerBottoms({ ...layout, y });
      return y;
    },
  };
}

/** Past the range of a double there is no row. */
const endOf = ({ y, h }: WidgetLayout): number => Math.min(y + h, Number.MAX_VALUE);

const overlaps = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.h > 0 &&
  other.h > 0 &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h &&
  Math.max(one.x, other.x, 0) < Math.min(one.x + one.w, other.x + other.w, gridColumns);

const inReadingOrder = (one: MergedLayout, other: MergedLayout): number =>
  one.layout.y - other.layout.y || one.layout.x - other.layout.x || (one.id < other.id ? -1 : 1);
