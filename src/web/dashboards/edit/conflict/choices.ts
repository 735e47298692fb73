import type { DashboardEdit, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { annotationWidgetId } from '#shared/annotations/annotations.ts';
import { nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { filtersOfWidgets, filterWidgetId } from '#shared/dashboard-filters/definitions.ts';
import { newWidgetSize } from '#shared/grid/layout.ts';
import {
  containerTitleOf,
  isContainer,
  keysOf,
  tabWidgetId,
  type ArrangedWidget,
} from '#shared/sections/structure.ts';
import type { MergeConflict } from '#contract/records/history.ts';
import type { Choices, ConflictItem, EditConflict, Side } from '../../../drafts/conflict/conflict.ts';
import {
  moveWidget,
  removeWidget,
  withoutId,
  type DraftContent,
  type DraftWidget,
} from '../draft/content.ts';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import { withFilters } from '../filters/draft-filters.ts';
import { differencesOf, isRemoval, type MergedContainers } from './differences.ts';

type DashboardConflict = EditConflict<DashboardEdit>;

/** Returns the conflicts of each item: by `name`, `description`, or the ID of a widget, which has the conflicts of all its parts. */
const conflictsByItem = ({ conflicts }: DashboardConflict): Map<string, MergeConflict[]> =>
  Map.groupBy(conflicts, ({ pointer, widgetId }) => widgetId ?? pointer.slice(1));

/** Returns the items to choose from, in the order of the conflicts. */
export const itemsOf = (
  conflict: DashboardConflict,
  nameOfReport: (reportId: string) => string,
): ConflictItem[] => {
  const containers = containersOf(conflict);
  return [...conflictsByItem(conflict)].map(([key, conflicts]) => {
    // A dashboard has only one name, a widget that one side removed exists only once, and so does what is in a tab or section.
    const isEither = key === 'name' || containers.has(key) || conflicts.some(isRemoval);
    return {
      key,
      title: titleOfItem(conflict, key, nameOfReport),
      differences: conflicts.flatMap((each) => differencesOf(each, nameOfReport, containers)),
      ...(!isEither && { both: bothOf(conflict, key) }),
    };
  });
};

function containersOf({ merged: { widgets } }: DashboardConflict): MergedContainers {
  const keys = keysOf(widgets);
  const names = new Map([...keys].map(([widget, key]) => [key, containerName(widget)]));
  const ids = new Set([...keys.keys()].map(({ id }) => id));
  return { nameOf: (key) => names.get(key) ?? t('none'), has: (id) => ids.has(id) };
}

const containerName = (widget: Pick<ArrangedWidget, 'reportId' | 'config'>): string =>
  widget.reportId === tabWidgetId
    ? t('Tab {title}', { title: containerTitleOf(widget) || t('(untitled)') })
    : t('Section {title}', { title: containerTitleOf(widget) || t('(untitled)') });

function bothOf({ merged }: DashboardConflict, key: string): string {
  if (key === 'description') return t('Both, one after the other');
  const widget = merged.widgets.find(({ id }) => id === key);
  if (widget?.reportId === filterWidgetId) return t('Both, with theirs where the same filter differs');
  if (widget?.reportId === annotationWidgetId)
    return t('Both, with theirs where the same annotation differs');
  return t('Both, as two widgets');
}

function titleOfItem(
  { merged }: DashboardConflict,
  key: string,
  nameOfReport: (reportId: string) => string,
): string {
  if (key === 'name') return t('Name of the dashboard');
  if (key === 'description') return t('Description of the dashboard');
  const widget = merged.widgets.find(({ id }) => id === key);
  if (widget === undefined) return t('Widget');
  if (widget.reportId === filterWidgetId) return t('Filters of the dashboard');
  if (widget.reportId === annotationWidgetId) return t('Annotations of the dashboard');
  if (isContainer(widget)) return containerName(widget);
  const content = nameOfContent(widget);
  if (content !== undefined) return content;
  return t('Widget {title}', {
    title: ownTitleOf({ config: widget.config ?? {} }) ?? nameOfReport(widget.reportId),
  });
}

/**
 * Returns the merged content with the chosen side of each item; without a choice, theirs. Choosing both sides of a widget
 * results in two widgets: theirs, and mine as a new one below it. Choosing both sides of the filters or the annotations joins them.
 */
export function applyChoices(conflict: DashboardConflict, choices: Choices): DraftContent {
  return [...conflictsByItem(conflict)].reduce(
    (content, [key, conflicts]) => applyChoice(content, key, conflicts, choices.get(key) ?? 'theirs'),
    mergedContent(conflict.merged),
  );
}

const mergedContent = ({ name, description = '', widgets }: DashboardEdit): DraftContent => ({
  name,
  description,
  widgets: widgets.map((widget, index) => ({
    // The server has placed each widget of a merged edit.
    layout: { x: 0, y: 0, ...newWidgetSize },
    config: {},
    ...widget,
    key: widget.id ?? `new ${index}`,
  })),
});

function applyChoice(
  content: DraftContent,
  key: string,
  conflicts: readonly MergeConflict[],
  side: Side,
): DraftContent {
  const [first] = conflicts;
  if (key === 'name' || key === 'description') return chooseText(content, key, first, side);
  if (first !== undefined && isRemoval(first)) return chooseRemoval(content, key, first, side);
  if (side === 'theirs') return content;
  return side === 'mine' ? chooseMine(content, key, conflicts) : keepBoth(content, key, conflicts);
}

function chooseText(
  content: DraftContent,
  key: 'name' | 'description',
  conflict: MergeConflict | undefined,
  side: Side,
): DraftContent {
  const mine = textOf(conflict?.mine);
  const theirs = textOf(conflict?.theirs);
  const both = [theirs, mine].filter((text) => text !== '').join('\n\n');
  return { ...content, [key]: { mine, theirs, both }[side] };
}

/** One side removed the widget, and the other changed it. The merged content has the changed widget. */
const chooseRemoval = (
  content: DraftContent,
  key: string,
  conflict: MergeConflict,
  side: Side,
): DraftContent =>
  conflict[side === 'mine' ? 'mine' : 'theirs'] === undefined ? removeWidget(content, key) : content;

function chooseMine(content: DraftContent, key: string, conflicts: readonly MergeConflict[]): DraftContent {
  const widgets = content.widgets.map((widget) =>
    widget.key === key ? { ...widget, ...partsOfMine(conflicts), layout: widget.layout } : widget,
  );
  const { layout } = partsOfMine(conflicts);
  const changed = { ...content, widgets };
  if (layout !== undefined && widgets.some((widget) => widget.key === key && isContainer(widget))) {
    // Tabs and sections are on no grid, so they push nothing.
    return { ...content, widgets: widgets.map((each) => (each.key === key ? { ...each, layout } : each)) };
  }
  return layout === undefined ? changed : moveWidget(changed, key, layout);
}

function keepBoth(content: DraftContent, key: string, conflicts: readonly MergeConflict[]): DraftContent {
  const theirs = content.widgets.find((widget) => widget.key === key);
  if (theirs === undefined) return content;
  if (theirs.reportId === filterWidgetId) {
    const ofMine = { ...theirs, ...partsOfMine(conflicts) };
    // The first definition of a filter applies.
    return withFilters(content, key, filtersOfWidgets([theirs, ofMine]));
  }
  if (theirs.reportId === annotationWidgetId) {
    const joined = { ...partsOfMine(conflicts).config, ...theirs.config };
    const widgets = content.widgets.map((each) => (each === theirs ? { ...each, config: joined } : each));
    return { ...content, widgets };
  }
  const mine = { ...withoutId(theirs), ...partsOfMine(conflicts), key: `mine of ${key}` };
  const below: WidgetLayout = {
    ...mine.layout,
    x: theirs.layout.x,
    y: theirs.layout.y + theirs.layout.h,
  };
  const end = Math.max(...content.widgets.map(({ layout }) => layout.y + layout.h));
  const widgets = [...content.widgets, { ...mine, layout: { ...below, y: end } }];
  return moveWidget({ ...content, widgets }, mine.key, below);
}

/** Returns the conflicting parts of a widget, with the values of the refused edit. */
const partsOfMine = (conflicts: readonly MergeConflict[]): Partial<DraftWidget> =>
  Object.fromEntries(conflicts.map(({ pointer, mine }) => [pointer.split('/').at(-1) ?? '', mine]));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
