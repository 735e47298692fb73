import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { gridColumns } from '#shared/grid/layout.ts';
import { moveWidget, type DraftContent, type DraftWidget } from '../edit/draft/content.ts';
import { parentOf, widgetsOnGrid } from '../edit/draft/grids.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';

/**
 * Swaps a widget with its neighbor in the reading order of its grid, as seen on a phone in one column. On the grid, this is the smallest
 * move that results in the new order; if no single move does, other widgets move, too.
 */
export function swapWithNeighbor(content: DraftContent, key: string, step: -1 | 1): DraftContent {
  const parent = parentOf(content.widgets, key);
  const visible = withVisibleLayouts(widgetsOnGrid(content.widgets, parent));
  const index = visible.findIndex((widget) => widget.key === key);
  const [widget, neighbor] = [visible[index], visible[index + step]];
  if (widget === undefined || neighbor === undefined) return content;
  const [first, second] = step === 1 ? [widget, neighbor] : [neighbor, widget];
  const wanted = visible.map((each) => (each === first ? second : each === second ? first : each));
  const above = {
    ...second.layout,
    x: Math.min(first.layout.x, gridColumns - second.layout.w),
    y: first.layout.y,
  };
  const below = { ...first.layout, y: second.layout.y + second.layout.h };
  const candidates = [
    ...(isBeside(first, second) ? [sideBySide(content, second, first)] : []),
    moveWidget(content, first.key, below),
    moveWidget(content, second.key, above),
  ];
  return candidates.find((each) => isInOrder(each, parent, wanted)) ?? candidates.at(-1) ?? content;
}

const isBeside = (first: DraftWidget, second: DraftWidget): boolean =>
  first.layout.y === second.layout.y && first.layout.h === second.layout.h;

/** Swaps two widgets in one row: each takes the other's end of the row. */
function sideBySide(content: DraftContent, left: DraftWidget, right: DraftWidget): DraftContent {
  const end = left.layout.x + left.layout.w;
  const layouts = new Map<string, WidgetLayout>([
    [left.key, { ...left.layout, x: right.layout.x }],
    [right.key, { ...right.layout, x: end - right.layout.w }],
  ]);
  const widgets = content.widgets.map((widget) => {
    const layout = layouts.get(widget.key);
    return layout === undefined ? widget : { ...widget, layout };
  });
  return { ...content, widgets };
}

const isInOrder = (content: DraftContent, parent: string, wanted: readonly DraftWidget[]): boolean =>
  withVisibleLayouts(widgetsOnGrid(content.widgets, parent)).every(
    ({ key }, index) => key === wanted[index]?.key,
  );
