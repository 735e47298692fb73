import type { Widget } from '#contract/dashboards/dashboards.ts';
import { headFields, widgetFields, type DashboardContent, type WidgetPart } from './content.ts';

/**
 * What turns one content into another. It contains only what differs, so that a version is only as large as its edit:
 *
 * - `removed` are the IDs of removed widgets;
 * - `order` is set if the remaining widgets change places: for each new place, the index where its widget was before;
 * - `changed` has the changed parts of remaining widgets, with null for a part that was removed;
 * - `inserted` are new widgets, each with its index in the result, in ascending order.
 */
export interface ContentDelta {
  readonly name?: string;
  readonly description?: string | null;
  readonly removed?: readonly string[];
  readonly order?: readonly number[];
  readonly changed?: Readonly<Record<string, ChangedParts>>;
  readonly inserted?: readonly (readonly [index: number, widget: Widget])[];
}

type ChangedParts = { readonly [Part in WidgetPart]?: Widget[Part] | null };

/** Returns the delta that turns `from` into `to`. */
export function deltaBetween(from: DashboardContent, to: DashboardContent): ContentDelta {
  const inFrom = new Map(from.widgets.map((widget) => [widget.id, widget]));
  const inTo = new Set(to.widgets.map(({ id }) => id));
  const removed = from.widgets.filter(({ id }) => !inTo.has(id)).map(({ id }) => id);
  const inserted = to.widgets
    .map((widget, index) => [index, widget] as const)
    .filter(([, { id }]) => !inFrom.has(id));
  const order = orderBetween(
    from.widgets.filter(({ id }) => inTo.has(id)),
    to.widgets.filter(({ id }) => inFrom.has(id)),
  );
  const changed = to.widgets.flatMap((widget) => {
    const parts = changedParts(inFrom.get(widget.id), widget);
    return parts === undefined ? [] : [[widget.id, parts] as const];
  });
  return {
    ...headFields.deltaBetween(from, to),
    ...(removed.length > 0 && { removed }),
    ...(order !== undefined && { order }),
    ...(changed.length > 0 && { changed: Object.fromEntries(changed) }),
    ...(inserted.length > 0 && { inserted }),
  };
}

function orderBetween(from: readonly Widget[], to: readonly Widget[]): number[] | undefined {
  if (from.every(({ id }, index) => to[index]?.id === id)) return undefined;
  const places = new Map(from.map(({ id }, index) => [id, index]));
  return to.map(({ id }) => places.get(id) ?? 0);
}

function changedParts(from: Widget | undefined, to: Widget): ChangedParts | undefined {
  if (from === undefined || from === to) return undefined;
  const parts = widgetFields.deltaBetween(from, to);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Applies a delta to the content that it was made from. */
export function applyDelta(
  { widgets: before, ...fromHead }: DashboardContent,
  { removed, order, changed, inserted = [], ...head }: ContentDelta,
): DashboardContent {
  const removedIds = new Set(removed);
  const remaining = before.filter(({ id }) => !removedIds.has(id));
  const ordered = order?.flatMap((place) => remaining[place] ?? []) ?? remaining;
  const widgets = ordered.map((widget) => {
    const parts = changed?.[widget.id];
    return parts === undefined ? widget : widgetFields.applyDelta(widget, parts);
  });
  return { ...headFields.applyDelta(fromHead, head), widgets: withInserted(widgets, inserted) };
}

function withInserted(widgets: readonly Widget[], inserted: NonNullable<ContentDelta['inserted']>): Widget[] {
  const result: Widget[] = [];
  let next = 0;
  // One by one, since a call has a limit of arguments that the number of widgets may exceed.
  const takeUpTo = (length: number): void => {
    for (; result.length < length && next < widgets.length; next += 1) {
      const widget = widgets[next];
      if (widget !== undefined) result.push(widget);
    }
  };
  for (const [index, widget] of inserted) {
    takeUpTo(index);
    result.push(widget);
  }
  takeUpTo(Infinity);
  return result;
}
