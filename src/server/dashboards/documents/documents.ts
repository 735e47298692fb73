import { dashboardFormat, type DashboardDocument } from '#contract/records/documents.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { configWithReportIds } from '#shared/dashboard-filters/definitions.ts';
import { uuidPattern } from '#contract/values.ts';
import type { ReportIds } from '../../reports/documents/documents.ts';
import { newWidgets, type DashboardContent } from '../content/content.ts';

/** Returns the document of a dashboard, with its members always in the same order and the reports' IDs in documents. */
export function documentOf(
  id: string,
  { name, description, widgets }: DashboardContent,
  { toDocumentId }: ReportIds,
  isRestricted = false,
): DashboardDocument {
  return {
    format: dashboardFormat,
    id,
    name,
    ...(isRestricted && { restricted: true }),
    ...(description !== undefined && { description }),
    widgets: widgets.map(({ id: widgetId, reportId, layout: { x, y, w, h }, config, ...others }) => ({
      id: widgetId,
      reportId: toDocumentId(reportId),
      layout: { x, y, w, h },
      config: configWithReportIds({ reportId, config }, toDocumentId),
      ...others,
    })),
  };
}

/** The content that a document gives a dashboard. */
export interface DocumentContent {
  readonly content: DashboardContent;
  /** How many of its widgets got a new ID, which neither the document nor the dashboard has. */
  readonly newWidgetIds: number;
}

const uuid = new RegExp(uuidPattern);

/**
 * Returns the content of a document. Its widgets keep their valid IDs. A widget without one gets the ID of an equal stored
 * widget, so that importing a document written by hand again changes nothing.
 */
export function contentOfDocument(
  { name, description, widgets: documented }: DashboardDocument,
  stored: readonly Widget[],
  { toReportId }: ReportIds,
): DocumentContent {
  const inputs = documented.map(({ reportId, config, ...widget }) => ({
    ...widget,
    reportId: toReportId(reportId),
    ...(config !== undefined && { config: configWithReportIds({ reportId, config }, toReportId) }),
  }));
  const used = new Set<string>();
  const validIds = inputs.map(({ id }) => {
    if (id === undefined || !uuid.test(id) || used.has(id)) return undefined;
    used.add(id);
    return id;
  });
  const unnamed = used.size === inputs.length ? [] : stored.filter(({ id }) => !used.has(id));
  // Reversed, to take IDs from the end: removing the first of very many would move all the others.
  const same = Map.groupBy(unnamed.toReversed(), partsOf);
  let newWidgetIds = 0;
  const widgets = newWidgets(inputs).map((widget, index) => {
    const id = validIds[index] ?? same.get(partsOf(widget))?.pop()?.id;
    if (id === undefined) newWidgetIds += 1;
    return { ...widget, id: id ?? widget.id };
  });
  return { content: { name, ...(description !== undefined && { description }), widgets }, newWidgetIds };
}

const partsOf = ({ id: _id, reportId, layout: { x, y, w, h }, config, ...others }: Widget): string =>
  JSON.stringify([reportId, x, y, w, h, config, others]);
