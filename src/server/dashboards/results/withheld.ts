import type { Widget } from '#contract/dashboards/dashboards.ts';
import { bindingsOf, dependsOnFilters } from '#shared/dashboard-filters/bindings.ts';
import {
  filtersOfWidgets,
  filterWidgetId,
  isBuiltIn,
  type FilterDefinition,
} from '#shared/dashboard-filters/definitions.ts';
import { readWithheld, type WithheldReason } from '../../access/on-behalf.ts';
import { storedReports } from '../../reports/kind.ts';
import type { Reader } from '../../storage/database.ts';
import { contentOf } from '../content/content.ts';
import { readEditors } from '../content/widget-editors.ts';
import type { StoredDashboard } from '../store.ts';

/** What others may see of a dashboard with a link of its maker. */
export interface ShownToOthers {
  readonly organizationId: string;
  /** Names the editors of a widget: widgets of the same report with other editors are judged on their own. */
  editorsKeyOf(widgetId: string): string;
  /** Returns why a widget's report is withheld, because of who made the link or edited the widget. */
  findReason(widget: Pick<Widget, 'id' | 'reportId'>): WithheldReason | undefined;
  /**
   * Returns why a report that depends on the filters of the dashboard is withheld because of who edited them: they decide which rows
   * it shows, even to themselves.
   */
  findReasonOfFilters(reportId: string): WithheldReason | undefined;
}

/** Reads who may see the reports of a dashboard now, of the person who made a link to it and of its editors. */
export async function readShownToOthers(
  reader: Reader,
  dashboard: StoredDashboard,
  makerId: string,
  widgets: readonly Widget[] = contentOf(dashboard).widgets,
): Promise<ShownToOthers> {
  const editorsOf = readEditors(dashboard);
  const reports = widgets.filter(({ reportId }) => !isBuiltIn(reportId));
  const filterEditors = widgets
    .filter(({ reportId }) => reportId === filterWidgetId)
    .flatMap(({ id }) => editorsOf(id));
  // Sound because personal dashboards have no links.
  const organizationId = dashboard.organizationId as string;
  const findReason = await readWithheld(reader, {
    organizationId,
    makerId,
    editorIds: [...filterEditors, ...new Set(reports.flatMap(({ id }) => editorsOf(id)))],
    reportIds: reports.map(({ reportId }) => reportId),
  });
  return {
    organizationId,
    editorsKeyOf: (widgetId) => editorsOf(widgetId).join(' '),
    findReason: ({ id, reportId }) => findReason(reportId, editorsOf(id)),
    findReasonOfFilters: (reportId) => findReason(reportId, filterEditors),
  };
}

/** A widget whose result others don't see, and why. */
export interface WithheldWidget {
  readonly widgetId: string;
  readonly reason: WithheldReason;
}

/** Lists the widgets of a dashboard that a display with a link of its maker doesn't show, for people who manage the dashboard. */
export async function listWithheldWidgets(
  reader: Reader,
  dashboard: StoredDashboard,
  makerId: string,
): Promise<WithheldWidget[]> {
  const { widgets } = contentOf(dashboard);
  const { filters } = filtersOfWidgets(widgets);
  const shown = await readShownToOthers(reader, dashboard, makerId, widgets);
  const withheld: WithheldWidget[] = [];
  for (const widget of widgets) {
    if (isBuiltIn(widget.reportId)) continue;
    const reason = shown.findReason(widget) ?? (await findReasonOfFilters(reader, shown, widget, filters));
    if (reason !== undefined) withheld.push({ widgetId: widget.id, reason });
  }
  return withheld;
}

/** Reads the report only if its filters could be a reason. */
async function findReasonOfFilters(
  reader: Reader,
  { findReasonOfFilters: find, organizationId }: ShownToOthers,
  { reportId, config }: Widget,
  filters: readonly FilterDefinition[],
): Promise<WithheldReason | undefined> {
  const reason = filters.length === 0 ? undefined : find(reportId);
  if (reason === undefined) return undefined;
  const report = await storedReports.findInOrganization(reader, { organizationId, id: reportId });
  const parameters = report?.content.parameters ?? [];
  return dependsOnFilters(config, parameters, bindingsOf(config, parameters, filters)) ? reason : undefined;
}
