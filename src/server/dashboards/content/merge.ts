import type { Widget, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import type { MergeConflict } from '#contract/records/history.ts';
import { conflictOf, isSameJson } from '../../records/fields.ts';
import { headFields, widgetFields, type DashboardContent } from './content.ts';
import { mergeConfigs } from './config-merge.ts';
import { separateLayouts, type MergedLayout } from './layout-collisions.ts';
import { isContainer, parentsOf, topLevel } from '#shared/sections/structure.ts';

export interface Merge {
  /** Has the value of `theirs` for each conflict, and the widgets that one side removed and the other changed. */
  readonly merged: DashboardContent;
  readonly conflicts: MergeConflict[];
}

/**
 * Merges two edits of one base: the name, the description, and the report, layout and config of each widget. What only one
 * side changed is taken from that side. Without conflicts, the result is the same if the sides are swapped.
 */
export function mergeContents(
  base: DashboardContent,
  mine: DashboardContent,
  theirs: DashboardContent,
): Merge {
  const head = headFields.merge(base, mine, theirs);
  const sides = { base: byId(base), mine: byId(mine), theirs: byId(theirs) };
  const widgets = new Map<string, MergedWidget>();
  for (const id of new Set([...sides.theirs.keys(), ...sides.mine.keys()])) {
    const merged = mergeWidget(sides.base.get(id), sides.mine.get(id), sides.theirs.get(id));
    if (merged !== undefined) widgets.set(id, merged);
  }
  const order = mergeOrder(base.widgets, mine.widgets, theirs.widgets, widgets);
  const layouts = separateLayouts(layoutsOf(order, mine, theirs));
  const merged = {
    ...head.merged,
    widgets: order.map((widget) => {
      const layout = layouts.get(widget.id);
      return layout === undefined ? widget : { ...widget, layout };
    }),
  };
  return {
    merged,
    conflicts: [
      ...head.conflicts,
      ...merged.widgets.flatMap(({ id }, index) =>
        (widgets.get(id)?.conflicts ?? []).map(({ pointer, ...conflict }) => ({
          pointer: `/widgets/${index}${pointer}`,
          widgetId: id,
          ...conflict,
        })),
      ),
    ],
  };
}

interface MergedWidget {
  readonly widget: Widget;
  /** Conflicts with pointers relative to the widget. */
  readonly conflicts: MergeConflict[];
}

const byId = ({ widgets }: DashboardContent): Map<string, Widget> =>
  new Map(widgets.map((widget) => [widget.id, widget]));

/** Returns undefined for a widget that was removed. */
function mergeWidget(
  base: Widget | undefined,
  mine: Widget | undefined,
  theirs: Widget | undefined,
): MergedWidget | undefined {
  if (mine !== undefined && theirs !== undefined) {
    // Most widgets are unchanged on at least one side, so their parts needn't be compared.
    if (isSameJson(base, mine) || isSameJson(mine, theirs)) return { widget: theirs, conflicts: [] };
    if (isSameJson(base, theirs)) return { widget: mine, conflicts: [] };
    const config = base && mergeConfigs(base, mine, theirs);
    const withConfig = (side: Widget) => (config === undefined ? side : { ...side, config });
    // Sound because only the parts are compared: without a base, both sides added all of them.
    const { merged, conflicts } = widgetFields.merge(
      base ?? ({} as Widget),
      withConfig(mine),
      withConfig(theirs),
    );
    return { widget: merged, conflicts };
  }
  const left = mine ?? theirs;
  if (left === undefined) return undefined;
  if (base === undefined) return { widget: left, conflicts: [] };
  if (isSameJson(base, left)) return undefined;
  return { widget: left, conflicts: [conflictOf('', base, mine, theirs)] };
}

/** Returns where the merged widgets are, and which sides have them exactly there. */
function layoutsOf(
  widgets: readonly Widget[],
  mine: DashboardContent,
  theirs: DashboardContent,
): MergedLayout[] {
  const grids = parentsOf(widgets);
  const [gridsOfMine, gridsOfTheirs] = [parentsOf(mine.widgets), parentsOf(theirs.widgets)];
  const [inMine, inTheirs] = [byId(mine), byId(theirs)];
  return widgets
    .filter((widget) => !isContainer(widget))
    .map((widget) => {
      const { id, layout } = widget;
      const grid = grids.get(widget) ?? topLevel;
      const isThereIn = (side: ReadonlyMap<string, Widget>, gridsOfSide: ReadonlyMap<Widget, string>) => {
        const before = side.get(id);
        return (
          before !== undefined && isSameLayout(before.layout, layout) && gridsOfSide.get(before) === grid
        );
      };
      return {
        id,
        grid,
        layout,
        isOfMine: isThereIn(inMine, gridsOfMine),
        isOfTheirs: isThereIn(inTheirs, gridsOfTheirs),
      };
    });
}

const isSameLayout = (one: WidgetLayout, other: WidgetLayout): boolean =>
  one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h;

/**
 * Returns the merged widgets in the order of the side that changed it. If both sides did and agree on the order of the widgets
 * that both have, these come first and the added ones follow; otherwise all are in reading order.
 */
function mergeOrder(
  base: readonly Widget[],
  mine: readonly Widget[],
  theirs: readonly Widget[],
  merged: ReadonlyMap<string, MergedWidget>,
): Widget[] {
  const present = (widgets: readonly Widget[]) => widgets.flatMap(({ id }) => merged.get(id)?.widget ?? []);
  const followedBy = (first: readonly Widget[]) => {
    const taken = new Set(first.map(({ id }) => id));
    const rest = [...merged.values()].map(({ widget }) => widget).filter(({ id }) => !taken.has(id));
    return [...first, ...rest.toSorted((one, other) => (one.id < other.id ? -1 : 1))];
  };
  if (isSameOrder(base, theirs)) return followedBy(present(mine));
  if (isSameOrder(base, mine)) return followedBy(present(theirs));
  const inMine = new Set(mine.map(({ id }) => id));
  const inTheirs = new Set(theirs.map(({ id }) => id));
  const common = present(mine.filter(({ id }) => inTheirs.has(id)));
  if (isSameOrder(common, present(theirs.filter(({ id }) => inMine.has(id))))) return followedBy(common);
  return [...merged.values()].map(({ widget }) => widget).toSorted(inReadingOrder);
}

const isSameOrder = (one: readonly Widget[], other: readonly Widget[]): boolean =>
  one.length === other.length && one.every(({ id }, index) => other[index]?.id === id);

const inReadingOrder = (one: Widget, other: Widget): number =>
  one.layout.y - other.layout.y || one.layout.x - other.layout.x || (one.id < other.id ? -1 : 1);
