import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
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
  const moved: WidgetLayout[] = [target];
  const layouts = new Map([[key, target]]);
  const others = things.filter((thing) => thing.key !== key);
  let end = target.y + target.h;
  let looksLeft = maxLooks;

  /** Returns a layout itself where it lies on nothing that has moved, and otherwise the next one below that does not. */
  function below(layout: WidgetLayout): WidgetLayout {
    let free = layout;
    while (free.y < end) {
      looksLeft -= moved.length;
      if (looksLeft < 0) return { ...free, y: end };
      const obstacle = moved.find((each) => overlap(each, free));
      if (obstacle === undefined) return free;
      free = { ...free, y: obstacle.y + obstacle.h };
    }
    return free;
  }

  // What makes way moves down alone, so whatever it meets there comes behind it in this order.
  for (const { key, layout } of others.toSorted((one, other) => one.layout.y - other.layout.y)) {
    const free = below(layout);
    if (free === layout) continue;
    moved.push(free);
    end = Math.max(end, free.y + free.h);
    layouts.set(key, free);
  }
  return things.map((thing) => {
    const layout = layouts.get(thing.key);
    return layout === undefined ? thing : { ...thing, layout };
  });
}

/** Whether two layouts share a cell. */
const overlap = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;
