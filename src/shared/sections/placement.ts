import { endOf, gridColumns, type Layout } from '../grid/layout.ts';
import { placeWidgets } from '../grid/placement.ts';
import { isContainer, parentsOf, tabWidgetId, type ArrangedWidget } from './structure.ts';

type UnplacedWidget = ArrangedWidget & { readonly layout?: Layout | undefined };

/**
 * Returns a layout for each widget, in order: the given one, or else the first free slot of its grid. Each tab and each section
 * has a grid of its own. A tab or section without a layout comes after the others in its place.
 */
export function placeInStructure(widgets: readonly UnplacedWidget[]): Layout[] {
  const parents = parentsOf(widgets);
  const layouts = new Map<UnplacedWidget, Layout>();
  for (const together of Map.groupBy(widgets, (widget) => placeOf(widget, parents)).values()) {
    const given = together.map(({ layout }) => layout);
    const placed = together.some(isContainer) ? placeInOrder(given) : placeWidgets(given);
    for (const [index, layout] of placed.entries()) {
      const widget = together[index];
      if (widget !== undefined) layouts.set(widget, layout);
    }
  }
  return widgets.flatMap((widget) => layouts.get(widget) ?? []);
}

/** Returns a name for what a widget shares its coordinates with: the grid of its parent, or the list of tabs or sections. */
function placeOf(widget: UnplacedWidget, parents: ReadonlyMap<UnplacedWidget, string>): string {
  if (widget.reportId === tabWidgetId) return 'tabs';
  return `${isContainer(widget) ? 'sections' : 'grid'} ${parents.get(widget)}`;
}

function placeInOrder(layouts: readonly (Layout | undefined)[]): Layout[] {
  let y = layouts.reduce((end, layout) => (layout === undefined ? end : Math.max(end, endOf(layout))), 0);
  return layouts.map((layout) => {
    if (layout !== undefined) return layout;
    const next = { x: 0, y, w: gridColumns, h: 1 };
    y = endOf(next);
    return next;
  });
}
