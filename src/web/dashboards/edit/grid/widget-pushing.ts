import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { occupiedRows } from '#shared/grid/occupied-rows.ts';
import { maxComparisons } from '#shared/grid/visible-layouts.ts';

/** A widget with its layout, and the key that identifies it within an edit. */
export interface Placed {
  readonly key: string;
  readonly layout: WidgetLayout;
}

/**
 * Returns the widgets after the widget `key` is placed at `target`. Widgets that it overlaps move down and push those below
 * them; no others move, and none moves sideways. During a drag, call this with the layouts at its start, so that widgets
 * move back once they are no longer in the way.
 */
export function moveAndPush<Item extends Placed>(
  widgets: readonly Item[],
  key: string,
  target: WidgetLayout,
): Item[] {
  const rows = occupiedRows([target], maxComparisons);
  const layouts = new Map([[key, target]]);
  const others = widgets.filter((widget) => widget.key !== key);
  // Widgets only move down, so the ones they push come later in this order.
  for (const { key, layout } of others.toSorted((one, other) => one.layout.y - other.layout.y)) {
    const free = rows.firstFree(layout);
    if (free === layout) continue;
    rows.occupy(free);
    layouts.set(key, free);
  }
  return widgets.map((widget) => {
    const layout = layouts.get(widget.key);
    return layout === undefined ? widget : { ...widget, layout };
  });
}
