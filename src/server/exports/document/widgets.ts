import { t } from '#shared/language/messages.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import { noRowsMessage } from '#charts/messages.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { contentKindOf, nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { bindingsOf } from '#shared/dashboard-filters/bindings.ts';
import { filtersOfWidgets, type FilterDefinition } from '#shared/dashboard-filters/definitions.ts';
import { filtersOfLines, type DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { valuesOfReport } from '#shared/dashboard-filters/values.ts';
import type { ExportJob } from '../job.ts';
import type { ExportedWidget } from './exported.ts';
import { imageLoader } from './images.ts';

const byWidget = (lines: readonly WidgetResult[]): Map<string, WidgetResult> =>
  new Map(lines.flatMap((line) => line.widgetIds.map((id) => [id, line] as const)));

/** Returns the filters of some widgets, by their results. */
export function filtersOfResults(
  widgets: readonly Widget[],
  lines: readonly WidgetResult[],
  definitions: readonly FilterDefinition[],
): DashboardFilter[] {
  const lineOf = byWidget(lines);
  const filtered = widgets.flatMap((widget) => {
    const line = lineOf.get(widget.id);
    return line === undefined ? [] : [{ ...line, widgetIds: [widget.id], config: widget.config }];
  });
  return filtersOfLines(filtered, definitions);
}

/** Returns a function that finds what a widget shows: with the results of a repetition of its section, if there is one. */
export function widgetExporter(
  job: ExportJob,
  lines: readonly WidgetResult[],
  repetition?: {
    readonly filter: string;
    readonly value: string;
    readonly text: string;
    readonly lines: readonly WidgetResult[];
  },
): (widget: Widget) => ExportedWidget {
  const { filters: definitions } = filtersOfWidgets(job.widgets);
  // In a repetition, a title means the widget in the same one.
  const all = [...lines, ...(repetition?.lines ?? [])];
  const lineOf = byWidget(all);
  const values =
    repetition === undefined ? job.values : { ...job.values, [repetition.filter]: repetition.value };
  const references: ReferenceContext = {
    widgets: job.widgets.map((widget) => {
      const line = lineOf.get(widget.id);
      return { id: widget.id, title: titleOf({ widget, line }), line };
    }),
    filters: filtersOfResults(job.widgets, all, definitions),
    values,
    isLoading: false,
  };
  const repeated = repetition !== undefined && { repetition: repetition.text };
  const loadImage = imageLoader(job.images);
  return (widget) => {
    if (contentKindOf(widget) !== undefined) {
      const title = nameOfContent(widget) ?? '';
      return { widget, title, line: undefined, whenEmpty: '', references, loadImage, ...repeated };
    }
    const line = lineOf.get(widget.id);
    const { parameters = [] } = line ?? {};
    const bindings = bindingsOf(widget.config, parameters, definitions);
    const calendar = { now: job.exportedAt, timeZone: job.timeZone, weekStart: job.weekStart };
    const shown = valuesOfReport(bindings, parameters, values, calendar).values;
    const title = titleOf({ widget, line }) ?? t('Unknown report');
    return { widget, title, line, whenEmpty: noRowsMessage(parameters, shown), ...repeated };
  };
}
