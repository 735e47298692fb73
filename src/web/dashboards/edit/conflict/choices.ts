import type { Dashboard, DashboardEdit, WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { newWidgetSize } from '#shared/grid/layout.ts';
import type { MergeConflict } from '#contract/history.ts';
import { isMissing } from './parts.ts';
import { moveWidget, removeWidget, type DraftContent, type DraftWidget } from '../draft/content.ts';

/** What the server tells of an edit that it could not merge. */
export interface EditConflict {
  readonly etag: string;
  readonly current: Dashboard;
  readonly merged: DashboardEdit;
  readonly conflicts: readonly MergeConflict[];
}

export const sides = ['mine', 'theirs', 'both'] as const;
export type Side = (typeof sides)[number];

/** What is decided as one: the name, the description, or a widget with all of its parts that two have changed. */
export interface ConflictItem {
  /** `name`, `description`, or the id of the widget. */
  readonly key: string;
  readonly conflicts: readonly MergeConflict[];
  readonly sides: readonly Side[];
}

/** Returns what there is to decide, in the order in which the server tells it. */
export function itemsOf({ conflicts }: Pick<EditConflict, 'conflicts'>): ConflictItem[] {
  const groups = Map.groupBy(conflicts, ({ pointer, widgetId }) => widgetId ?? pointer.slice(1));
  return [...groups].map(([key, conflicts]) => ({
    key,
    conflicts,
    // There is one name, and of a widget that one side removed there are no two.
    sides: key === 'name' || conflicts.some(isMissing) ? ['mine', 'theirs'] : sides,
  }));
}

/**
 * Returns what is merged with what was chosen of each item; what nothing was chosen for stays as others have it. Both of
 * a widget are two widgets: theirs, and mine as a new one below it.
 */
export function applyChoices(conflict: EditConflict, choices: ReadonlyMap<string, Side>): DraftContent {
  return itemsOf(conflict).reduce(
    (content, item) => applyChoice(content, item, choices.get(item.key) ?? 'theirs'),
    mergedContent(conflict.merged),
  );
}

const mergedContent = ({ name, description = '', widgets }: DashboardEdit): DraftContent => ({
  name,
  description,
  widgets: widgets.map(({ id, reportId, layout, config = {} }, index) => ({
    key: id ?? `new ${index}`,
    ...(id !== undefined && { id }),
    reportId,
    // The server has placed each widget of a merged edit.
    layout: layout ?? { x: 0, y: 0, ...newWidgetSize },
    config,
  })),
});

function applyChoice(content: DraftContent, { key, conflicts }: ConflictItem, side: Side): DraftContent {
  const [first] = conflicts;
  if (key === 'name' || key === 'description') return chooseText(content, key, first, side);
  if (first !== undefined && isMissing(first)) return chooseRemoval(content, key, first, side);
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

/** One side removed the widget, and the other changed it; in what is merged it is still there, as it was changed. */
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
  return layout === undefined ? changed : moveWidget(changed, key, layout);
}

function keepBoth(content: DraftContent, key: string, conflicts: readonly MergeConflict[]): DraftContent {
  const theirs = content.widgets.find((widget) => widget.key === key);
  if (theirs === undefined) return content;
  const { reportId, layout, config } = theirs;
  const mine = { reportId, layout, config, ...partsOfMine(conflicts), key: `mine of ${key}` };
  const below: WidgetLayout = {
    ...mine.layout,
    x: theirs.layout.x,
    y: theirs.layout.y + theirs.layout.h,
  };
  const end = Math.max(...content.widgets.map(({ layout }) => layout.y + layout.h));
  const widgets = [...content.widgets, { ...mine, layout: { ...below, y: end } }];
  return moveWidget({ ...content, widgets }, mine.key, below);
}

/** The parts of a widget as the refused edit has them. */
const partsOfMine = (conflicts: readonly MergeConflict[]): Partial<DraftWidget> =>
  Object.fromEntries(conflicts.map(({ pointer, mine }) => [pointer.split('/').at(-1) ?? '', mine]));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
