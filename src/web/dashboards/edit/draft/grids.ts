import { isContainer, parentsOf, topLevel } from '#shared/sections/structure.ts';
import type { Placed } from '../grid/widget-pushing.ts';

interface GridWidget extends Placed {
  readonly id?: string | undefined;
  readonly reportId: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Returns the key of the tab or section whose grid a widget is on, or that a section is in. */
export function parentOf(widgets: readonly GridWidget[], key: string): string {
  const parents = parentsOf(widgets);
  return [...parents].find(([widget]) => widget.key === key)?.[1] ?? topLevel;
}

/** Returns the widgets on the grid of a tab or section, or on that of the top level. */
export function widgetsOnGrid<Item extends GridWidget>(widgets: readonly Item[], parent: string): Item[] {
  const parents = parentsOf(widgets);
  return widgets.filter((widget) => !isContainer(widget) && parents.get(widget) === parent);
}

/** Changes the widgets on one grid. Those that are added are put on it; the others stay as they are. */
export function onGrid<Item extends GridWidget>(
  widgets: readonly Item[],
  parent: string,
  change: (onGrid: readonly Item[]) => readonly Item[],
): readonly Item[] {
  const before = widgetsOnGrid(widgets, parent);
  const after = change(before);
  const keys = new Set(before.map(({ key }) => key));
  const changed = new Map(after.map((widget) => [widget.key, widget]));
  const rest = widgets.flatMap((widget) => (keys.has(widget.key) ? (changed.get(widget.key) ?? []) : widget));
  const added = after.filter(({ key }) => !keys.has(key)).map((widget) => inParent(widget, parent));
  return added.length === 0 &&
    rest.length === widgets.length &&
    rest.every((each, at) => each === widgets[at])
    ? widgets
    : [...rest, ...added];
}

/** Returns a widget or a section in another tab or section, or at the top level. */
export function inParent<Item extends GridWidget>(widget: Item, parent: string): Item {
  const { parent: before, ...config } = widget.config;
  if (parent === topLevel) return before === undefined ? widget : { ...widget, config };
  return before === parent ? widget : { ...widget, config: { ...widget.config, parent } };
}
