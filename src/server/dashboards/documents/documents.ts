import { dashboardFormat, type DashboardDocument } from '#contract/documents.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { uuidPattern } from '#contract/values.ts';
import type { ReportIds } from '../../reports/documents/documents.ts';
import { newWidgets, type DashboardContent } from '../content/content.ts';

/** Returns the document of a dashboard, its members always in one order; its widgets name reports as documents do. */
export function documentOf(
  id: string,
  { name, description, widgets }: DashboardContent,
  { toDocumentId }: ReportIds,
): DashboardDocument {
  return {
    format: dashboardFormat,
    id,
    name,
    ...(description !== undefined && { description }),
    widgets: widgets.map(({ id: widgetId, reportId, layout: { x, y, w, h }, config, ...others }) => ({
      id: widgetId,
      reportId: toDocumentId(reportId),
      layout: { x, y, w, h },
      config,
      ...others,
    })),
  };
}

/** What a document makes of a dashboard. */
export interface DocumentContent {
  readonly content: DashboardContent;
  /** How many of its widgets got an id that neither the document nor the dashboard has. */
  readonly newWidgetIds: number;
}

const uuid = new RegExp(uuidPattern);

/**
 * Returns the content that a document has. Its widgets keep their ids; one without an id that can be kept is the
 * stored widget that is just the same, so that a document written by hand changes nothing when it comes again.
 */
export function contentOfDocument(
  { name, description, widgets: documented }: DashboardDocument,
  stored: readonly Widget[],
  { toReportId }: ReportIds,
): DocumentContent {
  const inputs = documented.map((widget) => ({ ...widget, reportId: toReportId(widget.reportId) }));
  const kept = new Set<string>();
  const keptIds = inputs.map(({ id }) => {
    if (id === undefined || !uuid.test(id) || kept.has(id)) return undefined;
    kept.add(id);
    return id;
  });
  const unnamed = kept.size === inputs.length ? [] : stored.filter(({ id }) => !kept.has(id));
  // Taken from the end: to take the first of very many moves all the others.
  const same = Map.groupBy(unnamed.toReversed(), partsOf);
  let newWidgetIds = 0;
  const widgets = newWidgets(inputs).map((widget, index) => {
    const id = keptIds[index] ?? same.get(partsOf(widget))?.pop()?.id;
    if (id === undefined) newWidgetIds += 1;
    return { ...widget, id: id ?? widget.id };
  });
  return { content: { name, ...(description !== undefined && { description }), widgets }, newWidgetIds };
}

const partsOf = ({ id: _id, reportId, layout: { x, y, w, h }, config, ...others }: Widget): string =>
  JSON.stringify([reportId, x, y, w, h, config, others]);
