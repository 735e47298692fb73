import type { Widget } from '#contract/dashboards/dashboards.ts';
import { targetIn } from '#shared/dashboard-filters/bindings.ts';
import { filtersOfWidgets, isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { parseJson } from '../../base/texts/json.ts';
import { isSameJson } from '../../records/fields.ts';
import type { Contribution } from '../../records/versions/contribution.ts';
import { widgetParts, type DashboardContent } from './content.ts';

/** Returns the people who last added or changed a widget, sorted. What it shows to others is shown only if all of them may see it. */
export type EditorsOfWidget = (widgetId: string) => readonly string[];

/** Who last added or changed each widget, as it is stored. */
interface StoredEditors {
  /** Those of every widget that is not listed. */
  readonly all: readonly string[];
  readonly others?: readonly { readonly editors: readonly string[]; readonly widgetIds: readonly string[] }[];
}

/** What is stored of a dashboard about its editors. */
interface EditedDashboard {
  /** The user who saved the current version. */
  readonly updatedBy: string;
  /** Undefined if that user last added or changed every widget, as in most dashboards. */
  readonly editorsJson?: string | undefined;
}

export function readEditors({ updatedBy, editorsJson }: EditedDashboard): EditorsOfWidget {
  if (editorsJson === undefined) return () => [updatedBy];
  // Sound because `editorsText` or a migration wrote it.
  const { all, others = [] } = parseJson(editorsJson) as StoredEditors;
  const exceptions = new Map(
    others.flatMap(({ editors, widgetIds }) => widgetIds.map((id) => [id, editors] as const)),
  );
  return (id) => exceptions.get(id) ?? all;
}

/** Returns the editors of widgets as text to store; undefined if the user who saves them is the editor of all. */
export function editorsText(
  widgets: readonly Pick<Widget, 'id'>[],
  editorsOf: EditorsOfWidget,
  updatedBy: string,
): string | undefined {
  const groups = Map.groupBy(widgets, ({ id }) => JSON.stringify(editorsOf(id)));
  const [first, ...others] = [...groups.values()]
    .map((of) => ({ editors: editorsOf(of[0]?.id ?? ''), widgetIds: of.map(({ id }) => id) }))
    .toSorted((one, other) => other.widgetIds.length - one.widgetIds.length);
  if (first === undefined) return undefined;
  if (others.length === 0 && isSameJson(first.editors, [updatedBy])) return undefined;
  return JSON.stringify({
    all: first.editors,
    ...(others.length > 0 && { others }),
  } satisfies StoredEditors);
}

/**
 * Returns the editors of widgets after a change. Those who changed a widget replace its former editors; of a widget that was merged
 * from their change and those of others, all are editors, since none of them has seen what it shows now. Those who removed a filter
 * are editors of each report that it may have limited, too, since it shows other rows without it.
 */
export function editorsAfter(
  before: EditedDashboard & { readonly content: DashboardContent },
  content: DashboardContent,
  { userIds, mine = content }: Contribution<DashboardContent>,
): EditorsOfWidget {
  const editorsBefore = readEditors(before);
  const [old, drafted] = [byId(before.content), byId(mine)];
  const removed = removedFilters(before.content, content);
  const changed = new Map(
    content.widgets.flatMap((widget) => {
      const known = old.get(widget.id);
      if (known !== undefined && showsSame(known, widget))
        return removed.some((filter) => isLimitedBy(widget, filter))
          ? [[widget.id, joined(userIds, editorsBefore(widget.id))] as const]
          : [];
      const draft = drafted.get(widget.id);
      const isMerged = known !== undefined && (draft === undefined || !showsSame(draft, widget));
      return [[widget.id, isMerged ? joined(userIds, editorsBefore(widget.id)) : joined(userIds)] as const];
    }),
  );
  return (id) => changed.get(id) ?? editorsBefore(id);
}

/** Returns the editors of widgets that were just created as text to store, given those of each. */
export function editorsOfNew(
  widgets: readonly Widget[],
  editorsAt: (index: number) => readonly string[],
  updatedBy: string,
): string | undefined {
  const editors = new Map(widgets.map(({ id }, index) => [id, joined(editorsAt(index))]));
  return editorsText(widgets, (id) => editors.get(id) ?? [updatedBy], updatedBy);
}

/** Returns the names of the filters that a change removed. */
function removedFilters(before: DashboardContent, after: DashboardContent): string[] {
  const left = new Set(filtersOfWidgets(after.widgets).filters.map(({ name }) => name));
  return filtersOfWidgets(before.widgets)
    .filters.map(({ name }) => name)
    .filter((name) => !left.has(name));
}

/** Whether a filter may set a parameter of a widget's report, whose parameters aren't known here. */
const isLimitedBy = ({ reportId, config }: Widget, filter: string): boolean =>
  !isBuiltIn(reportId) && targetIn(config, filter) !== null;

/** Returns people, each once and sorted. */
const joined = (...people: readonly (readonly string[])[]): string[] =>
  [...new Set(people.flat())].toSorted();

/** Whether two versions of a widget show the same, wherever it is on the dashboard. */
function showsSame(one: Widget, other: Widget): boolean {
  if (one === other) return true;
  return widgetParts
    .filter((part) => part !== 'layout')
    .every((part) =>
      part === 'config'
        ? isSameJson(withoutPlace(one.config), withoutPlace(other.config))
        : isSameJson(one[part], other[part]),
    );
}

/** `parent` is the tab or section that a widget is in. */
const withoutPlace = ({ parent: _parent, ...config }: Widget['config']): object => config;

const byId = ({ widgets }: DashboardContent): Map<string, Widget> =>
  new Map(widgets.map((widget) => [widget.id, widget]));
