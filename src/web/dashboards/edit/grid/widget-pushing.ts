import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { occupiedRows } from '#shared/grid/occupied-rows.ts';
import { maxLooks } from './geometry.ts';

/** A widget of an edit, by a key that it keeps for as long as the edit lasts. */
export interface Placed {
  readonly key: string;
  readonly layout: WidgetLayout;
}

/**
 * Returns the layouts when the widget `key` is laid at `target`. Those that it lies on then move down, and push what is
 * below them; nothing else moves, and nothing ever moves sideways. It is worked out from where all lay at first, so that
 * whatever made way is back in its place as soon as the way is not needed.
 */
export function layAt<Thing extends Placed>(
  things: readonly Thing[],
  key: string,
  target: WidgetLayout,
): Thing[] {
  const rows = occupiedRows([target], maxLooks);
  const layouts = new Map([[key, target]]);
  const others = things.filter((thing) => thing.key !== key);
  // What makes way only moves down, so whatever it meets there comes later in this order.
  for (const { key, layout } of others.toSorted((one, other) => one.layout.y - other.layout.y)) {
    const free = rows.firstFree(layout);
    if (free === layout) continue;
    rows.occupy(free);
    layouts.set(key, free);
  }
  return things.map((thing) => {
    const layout = layouts.get(thing.key);
    return layout === undefined ? thing : { ...thing, layout };
  });
}
