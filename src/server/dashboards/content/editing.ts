import type { DashboardEdit, DashboardPatch } from '#contract/dashboards/dashboards.ts';
import { editedWidgets, type DashboardContent } from './content.ts';

/** Returns the edited content, given the version that the edit started from and the current one. */
export type Draft = (base: DashboardContent, current: DashboardContent) => DashboardContent;

/** Returns the draft of an edit that replaces the content. The edit may refer to widgets of either version. */
export const replacedBy =
  ({ name, description, widgets }: DashboardEdit): Draft =>
  (base, current) => ({
    name,
    ...(description !== undefined && { description }),
    widgets: editedWidgets(widgets, byId([...current.widgets, ...base.widgets])),
  });

/** Returns the draft of a JSON merge patch (RFC 7396), which changes the name or description. */
export const patchedBy =
  (patch: DashboardPatch): Draft =>
  ({ name, description: before, widgets }) => {
    const description = patch.description === undefined ? before : (patch.description ?? undefined);
    return { name: patch.name ?? name, ...(description !== undefined && { description }), widgets };
  };

/** Returns a merged content as a client gets it: widgets that aren't stored have no ID, so that the client sends them as new. */
export function withoutNewIds(content: DashboardContent, stored: readonly DashboardContent[]): object {
  const known = byId(stored.flatMap(({ widgets }) => widgets));
  return {
    ...content,
    widgets: content.widgets.map(({ id, ...widget }) => (known.has(id) ? { id, ...widget } : widget)),
  };
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]));
