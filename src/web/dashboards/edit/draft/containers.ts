import { annotationWidgetId } from '#shared/annotations/annotations.ts';
import { filterWidgetId } from '#shared/dashboard-filters/definitions.ts';
import { gridColumns } from '#shared/grid/layout.ts';
import { inReadingOrder } from '#shared/grid/visible-layouts.ts';
import {
  isContainer,
  keysOf,
  parentsOf,
  sectionWidgetId,
  tabWidgetId,
  topLevel,
} from '#shared/sections/structure.ts';
import type { DraftContent, DraftWidget } from './content.ts';
import { inParent } from './grids.ts';
import { moveGrid } from './moving.ts';

/** What people set for a tab or a section; the last two only for a section. */
export interface ContainerSettings {
  readonly title: string;
  readonly isCollapsed?: boolean;
  /** The name of the filter that it is repeated by. */
  readonly repeatedBy?: string | undefined;
}

const maxSlugLength = 40;

/** Returns the key of a new tab or section, by which links refer to it: its title as far as it is readable in a URL. */
export function newContainerKey(title: string, randomId: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replaceAll(/^-|-$/g, '');
  // Two people can add tabs with the same title at the same time, which must not become one.
  const unique = randomId.slice(0, 8);
  return slug === '' ? unique : `${slug}-${unique}`;
}

/** Adds a tab after the others. */
export const addTab = (content: DraftContent, key: string, settings: ContainerSettings): DraftContent =>
  addContainer(content, tabWidgetId, topLevel, key, settings);

/** Adds a section after the others in a tab, or at the top level. */
export const addSection = (
  content: DraftContent,
  parent: string,
  key: string,
  settings: ContainerSettings,
): DraftContent => addContainer(content, sectionWidgetId, parent, key, settings);

function addContainer(
  content: DraftContent,
  reportId: string,
  parent: string,
  key: string,
  settings: ContainerSettings,
): DraftContent {
  const y = endOfList(siblingsIn(content, reportId, parent));
  const config = withSettings({ key: newContainerKey(settings.title, key) }, settings);
  const widget = { key, reportId, layout: { x: 0, y, w: gridColumns, h: 1 }, config };
  return { ...content, widgets: [...content.widgets, inParent(widget, parent)] };
}

/** Changes what is set for a tab or a section. */
export const changeContainer = (
  content: DraftContent,
  key: string,
  settings: ContainerSettings,
): DraftContent => ({
  ...content,
  widgets: content.widgets.map((widget) =>
    widget.key === key ? { ...widget, config: withSettings(widget.config, settings) } : widget,
  ),
});

function withSettings(
  { title: _title, isCollapsed: _isCollapsed, repeat: _repeat, ...others }: DraftWidget['config'],
  { title, isCollapsed = false, repeatedBy }: ContainerSettings,
): DraftWidget['config'] {
  return {
    ...others,
    ...(title !== '' && { title }),
    ...(isCollapsed && { isCollapsed: true }),
    ...(repeatedBy !== undefined && { repeat: { filter: repeatedBy } }),
  };
}

/** Moves a tab among the tabs, or a section among those of its tab, to a position counted from 0. */
export function moveContainer(content: DraftContent, key: string, index: number): DraftContent {
  const moved = content.widgets.find((widget) => widget.key === key && isContainer(widget));
  if (moved === undefined) return content;
  const parent = parentsOf(content.widgets).get(moved) ?? topLevel;
  const siblings = siblingsIn(content, moved.reportId, parent);
  const to = Math.max(0, Math.min(siblings.length - 1, index));
  const order = siblings.filter((each) => each !== moved).toSpliced(to, 0, moved);
  if (order.every((each, at) => each === siblings[at])) return content;
  const rows = siblings.map(({ layout }) => layout.y);
  // Keeps the rows that are there, so that others' tabs that are merged later stay where they are.
  const isOrdered = rows.every((row, at) => at === 0 || row > (rows[at - 1] ?? row));
  const places = new Map(order.map((each, at) => [each.key, isOrdered ? (rows[at] ?? at) : at]));
  return {
    ...content,
    widgets: content.widgets.map((widget) => {
      const y = places.get(widget.key);
      return y === undefined || y === widget.layout.y
        ? widget
        : { ...widget, layout: { ...widget.layout, x: 0, y } };
    }),
  };
}

/** Moves a section to another tab, after the sections there, or out of its tab. */
export function moveSection(content: DraftContent, key: string, parent: string): DraftContent {
  const y = endOfList(siblingsIn(content, sectionWidgetId, parent));
  return {
    ...content,
    widgets: content.widgets.map((widget) =>
      widget.key === key ? inParent({ ...widget, layout: { ...widget.layout, x: 0, y } }, parent) : widget,
    ),
  };
}

/**
 * Removes a tab or section. Its widgets move to the grid `to`, and the sections of a tab to the tab `to` or to the top level;
 * without `to`, they are removed, too.
 */
export function removeContainer(content: DraftContent, key: string, to?: string): DraftContent {
  const removed = content.widgets.find((widget) => widget.key === key && isContainer(widget));
  const own = removed && keysOf(content.widgets).get(removed);
  if (removed === undefined || own === undefined || own === to) return content;
  const emptied = to === undefined ? withoutContent(content, own) : withMovedContent(content, own, to);
  return { ...emptied, widgets: emptied.widgets.filter((widget) => widget.key !== key) };
}

function withoutContent(content: DraftContent, own: string): DraftContent {
  const parents = parentsOf(content.widgets);
  const keys = keysOf(content.widgets);
  const removed = new Set([own]);
  for (const [section, key] of keys) if (parents.get(section) === own) removed.add(key);
  return {
    ...content,
    // The filters and annotations are those of the whole dashboard, wherever a client of the API has put them.
    widgets: content.widgets.filter(
      (widget) =>
        widget.reportId === filterWidgetId ||
        widget.reportId === annotationWidgetId ||
        !removed.has(parents.get(widget) ?? topLevel),
    ),
  };
}

function withMovedContent(content: DraftContent, own: string, to: string): DraftContent {
  const sections = siblingsIn(content, sectionWidgetId, own);
  return sections.reduce((moved, section) => moveSection(moved, section.key, to), moveGrid(content, own, to));
}

/** Returns the tabs, or the sections in a tab or at the top level, in their order. */
function siblingsIn({ widgets }: DraftContent, reportId: string, parent: string): DraftWidget[] {
  const parents = parentsOf(widgets);
  return inReadingOrder(
    widgets.filter((widget) => widget.reportId === reportId && parents.get(widget) === parent),
  );
}

const endOfList = (siblings: readonly DraftWidget[]): number =>
  siblings.reduce((end, { layout }) => Math.max(end, layout.y + 1), 0);
