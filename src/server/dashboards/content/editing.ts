import type { DashboardEdit, DashboardPatch } from '#contract/dashboards/dashboards.ts';
import { editedWidgets, type DashboardContent } from './content.ts';

/** Makes the edited content, from the version that the edit began with and the current one. */
export type Draft = (base: DashboardContent, current: DashboardContent) => DashboardContent;

/** Returns how an edit replaces the content. It may name widgets of either version. */
export const replacedBy =
  ({ name, description, widgets }: DashboardEdit): Draft =>
  (base, current) => ({
    name,
    ...(description !== undefined && { description }),
    widgets: editedWidgets(widgets, byId([...current.widgets, ...base.widgets])),
  });

/** Returns how a JSON merge patch (RFC 7396) changes the name or the description. */
export const patchedBy =
  (patch: DashboardPatch): Draft =>
  ({ name, description: before, widgets }) => {
    const description = patch.description === undefined ? before : (patch.description ?? undefined);
    return { name: patch.name ?? name, ...(description !== undefined && { description }), widgets };
  };

/** Returns a merged content as a client gets it: widgets that are stored nowhere have no id, so that it sends them as new. */
export function withoutNewIds(content: DashboardContent, stored: readonly DashboardContent[]): object {
  const known = byId(stored.flatMap(({ widgets }) => widgets));
  return {
    ...content,
    widgets: content.widgets.map(({ id, ...widget }) => (known.has(id) ? { id, ...widget } : widget)),
  };
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]));
