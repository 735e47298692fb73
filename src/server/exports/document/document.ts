import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { noRowsMessage } from '#charts/messages.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { bindingsOf } from '#shared/dashboard-filters/bindings.ts';
import {
  filtersOfWidgets,
  isBuiltIn,
  labelOf,
  type FilterDefinition,
} from '#shared/dashboard-filters/definitions.ts';
import { filtersOfLines } from '#shared/dashboard-filters/filter-list.ts';
import { filterText } from '#shared/dashboard-filters/filter-text.ts';
import { valuesOfReport } from '#shared/dashboard-filters/values.ts';
import { structureOf } from '#shared/sections/structure.ts';
import type { ExportJob } from '../job.ts';

/** A widget with its result. */
export interface ExportedWidget {
  readonly widget: Widget;
  readonly title: string;
  /** Undefined if there is no result. */
  readonly line: WidgetResult | undefined;
  /** The text for a result without rows. */
  readonly whenEmpty: string;
}

/** A grid of widgets: the top one, or that of a tab or a section. */
export interface ExportedGrid {
  /** Undefined for the top one. */
  readonly heading?: { readonly text: string; readonly isTab: boolean };
  readonly widgets: readonly ExportedWidget[];
}

/** What a file shows. */
export interface ExportedDocument {
  readonly title: string;
  readonly filters: readonly { readonly label: string; readonly value: string }[];
  /** When it was exported and when its data was computed, and the version of the dashboard. */
  readonly facts: readonly string[];
  readonly grids: readonly ExportedGrid[];
}

/** Returns what a file shows, in reading order. */
export function buildDocument(job: ExportJob, lines: readonly WidgetResult[]): ExportedDocument {
  const { name, version, widgetId } = job;
  const { filters: definitions } = filtersOfWidgets(job.widgets);
  const lineOf = new Map(lines.flatMap((line) => line.widgetIds.map((id) => [id, line] as const)));
  const shown = job.widgets.filter(({ id }) => widgetId === undefined || id === widgetId);
  const filters = filtersOfLines(
    shown.flatMap((widget) => {
      const line = lineOf.get(widget.id);
      return line === undefined ? [] : [{ ...line, widgetIds: [widget.id], config: widget.config }];
    }),
    definitions,
  ).filter(({ widgetIds }) => widgetIds.length > 0);
  return {
    title: name,
    filters: filters.map((filter) => ({
      label: labelOf(filter),
      value: filterText(filter, job.values),
    })),
    facts: [
      `Exported ${timeText(job.exportedAt)} (${job.timeZone})`,
      ...dataFact(lines),
      `Version ${version}`,
    ],
    grids: gridsOf(job, (widget) => exportedWidget(widget, lineOf.get(widget.id), definitions, job)),
  };
}

function gridsOf(job: ExportJob, toExported: (widget: Widget) => ExportedWidget): readonly ExportedGrid[] {
  const { widgets, sections, tabs } = structureOf(job.widgets);
  const isShown = ({ id, reportId }: Widget): boolean =>
    !isBuiltIn(reportId) && (job.widgetId === undefined || id === job.widgetId);
  const gridOf = (container: { readonly widgets: readonly Widget[] }): ExportedGrid => ({
    widgets: container.widgets.filter(isShown).map(toExported),
  });
  type Container = { readonly title: string; readonly widgets: readonly Widget[] };
  const headed = (container: Container, isTab: boolean): ExportedGrid => ({
    ...gridOf(container),
    heading: { text: container.title, isTab },
  });
  const all = [
    gridOf({ widgets }),
    ...sections.map((section) => headed(section, false)),
    ...tabs.flatMap((tab) => [headed(tab, true), ...tab.sections.map((section) => headed(section, false))]),
  ];
  return all.filter(
    (grid) => grid.widgets.length > 0 || (grid.heading?.isTab === true && job.widgetId === undefined),
  );
}

function exportedWidget(
  widget: Widget,
  line: WidgetResult | undefined,
  definitions: readonly FilterDefinition[],
  { values: given, exportedAt, timeZone, weekStart }: ExportJob,
): ExportedWidget {
  const { parameters = [] } = line ?? {};
  const bindings = bindingsOf(widget.config, parameters, definitions);
  const { values } = valuesOfReport(bindings, parameters, given, { now: exportedAt, timeZone, weekStart });
  return {
    widget,
    title: titleOf({ widget, line }) ?? 'Unknown report',
    line,
    whenEmpty: noRowsMessage(parameters, values),
  };
}

/** The oldest result says how fresh the data is. */
function dataFact(lines: readonly WidgetResult[]): readonly string[] {
  const times = lines.flatMap(({ result }) => (result === undefined ? [] : [Date.parse(result.computedAt)]));
  if (times.length === 0) return [];
  return [`Data from ${timeText(times.reduce((one, other) => Math.min(one, other)))}`];
}

const timeText = (milliseconds: number): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds);
