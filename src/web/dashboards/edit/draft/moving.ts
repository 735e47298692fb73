import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { t } from '#shared/language/messages.ts';
import { structureOf, topLevel } from '#shared/sections/structure.ts';
import { sectionTitle, tabTitle } from '#shared/sections/titles.ts';
import { endOfGrid, freeSlotOn, moveWidget, type DraftContent, type DraftWidget } from './content.ts';
import { inParent, onGrid, parentOf, widgetsOnGrid } from './grids.ts';

/** Where a widget can be: at the top level, in a tab or in a section. */
export interface Place {
  /** The key of the tab or section. */
  readonly key: string;
  readonly kind: 'top' | 'tab' | 'section';
  /** Such as `Costs › By month`. */
  readonly name: string;
}

/** Returns all grids of a dashboard, in the order in which they are shown. */
export function placesIn(widgets: readonly DraftWidget[]): Place[] {
  const { sections, tabs } = structureOf(widgets);
  const ofSections = (list: typeof sections, tab = '') =>
    list.map((section) => ({
      key: section.key,
      kind: 'section' as const,
      name: `${tab}${sectionTitle(section)}`,
    }));
  return [
    { key: topLevel, kind: 'top', name: tabs.length > 0 ? t('Above the tabs') : t('Above the sections') },
    ...ofSections(sections),
    ...tabs.flatMap((tab) => {
      const name = tabTitle(tab);
      return [{ key: tab.key, kind: 'tab' as const, name }, ...ofSections(tab.sections, `${name} › `)];
    }),
  ];
}

/** Moves a widget to another grid: to `target`, where it pushes others down, or else to the first free slot. */
export function moveToGrid(
  content: DraftContent,
  key: string,
  parent: string,
  target?: WidgetLayout,
): DraftContent {
  const moved = withVisibleLayouts(widgetsOnGrid(content.widgets, parentOf(content.widgets, key))).find(
    (widget) => widget.key === key,
  );
  if (moved === undefined || parentOf(content.widgets, key) === parent) return content;
  const there = widgetsOnGrid(content.widgets, parent);
  const layout =
    target === undefined ? freeSlotOn(there, moved.layout) : { ...moved.layout, y: endOfGrid(there) };
  const widgets = content.widgets.map((widget) =>
    widget.key === key ? inParent({ ...widget, layout }, parent) : widget,
  );
  const added = { ...content, widgets };
  return target === undefined ? added : moveWidget(added, key, target);
}

/** Moves all widgets of a grid below those of another one. */
export function moveGrid(content: DraftContent, from: string, to: string): DraftContent {
  const moved = withVisibleLayouts(widgetsOnGrid(content.widgets, from));
  if (moved.length === 0 || from === to) return content;
  const first = Math.min(...moved.map(({ layout }) => layout.y));
  const keys = new Set(moved.map(({ key }) => key));
  const others = { ...content, widgets: content.widgets.filter(({ key }) => !keys.has(key)) };
  const widgets = onGrid(others.widgets, to, (there) => {
    const end = endOfGrid(there);
    const placed = moved.map((widget) => ({
      ...widget,
      layout: { ...widget.layout, y: widget.layout.y - first + end },
    }));
    return [...there, ...placed];
  });
  return { ...content, widgets };
}
