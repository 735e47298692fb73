import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';

const columns = 12;
/** Among very many widgets no place is looked for between them. */
const maxLooks = 2_000_000;

/** How large a widget is at first: half as wide as the dashboard, and high enough for a chart. */
const newWidgetSize = { w: 6, h: 8 } as const;

/** Returns the first place where a new widget fits, or one below all others. */
export function newWidgetLayout(widgets: readonly { readonly layout: WidgetLayout }[]): WidgetLayout {
  const layouts = widgets.map(({ layout }) => layout);
  // It fits first at the top, or right below another.
  const tops = [0, ...layouts.map(({ y, h }) => y + h)].toSorted((a, b) => a - b);
  for (const y of tops.slice(0, Math.ceil(maxLooks / (columns * tops.length)))) {
    for (let x = 0; x + newWidgetSize.w <= columns; x += 1) {
      const layout = { x, y, ...newWidgetSize };
      if (!layouts.some((other) => overlap(other, layout))) return layout;
    }
  }
  return { x: 0, y: tops.at(-1) ?? 0, ...newWidgetSize };
}

const overlap = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;
