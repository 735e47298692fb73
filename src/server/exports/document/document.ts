import { t } from '#shared/language/messages.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { annotationsOfWidgets } from '#shared/annotations/annotations.ts';
import { isOnGrid } from '#shared/content-widgets/content-widgets.ts';
import { filtersOfWidgets, labelOf } from '#shared/dashboard-filters/definitions.ts';
import { filterText } from '#shared/dashboard-filters/filter-text.ts';
import { structureOf, type Section } from '#shared/sections/structure.ts';
import { repetitionText } from '#shared/sections/repetitions.ts';
import { repeatedTitle, tabTitle } from '#shared/sections/titles.ts';
import type { ExportJob, RepeatedResults } from '../job.ts';
import type { ExportedDocument, ExportedGrid, ExportedWidget } from './exported.ts';
import { repetitionNote } from './repetition-note.ts';
import { filtersOfResults, widgetExporter } from './widgets.ts';

/** Returns what a file shows, in reading order. */
export function buildDocument(
  job: ExportJob,
  lines: readonly WidgetResult[],
  repeated: readonly RepeatedResults[] = [],
): ExportedDocument {
  const { name, version, widgetId } = job;
  const { filters: definitions } = filtersOfWidgets(job.widgets);
  const all = [...lines, ...repeated.flatMap((each) => each.lines)];
  const shown = job.widgets.filter(({ id }) => widgetId === undefined || id === widgetId);
  const filters = filtersOfResults(shown, all, definitions).filter(({ widgetIds }) => widgetIds.length > 0);
  return {
    title: name,
    ...(job.logo !== undefined && { logo: job.logo }),
    filters: filters.map((filter) => ({
      label: labelOf(filter),
      value: filterText(filter, job.values),
    })),
    facts: [
      t('Exported {time} ({timeZone})', { time: timeText(job.exportedAt), timeZone: job.timeZone }),
      ...dataFact(all),
      t('Version {version}', { version: String(version) }),
    ],
    grids: gridsOf(job, lines, repeated),
    annotations: annotationsOfWidgets(job.widgets),
    hasPatterns: job.hasPatterns,
  };
}

type ToExported = (widget: Widget) => ExportedWidget;

function gridsOf(
  job: ExportJob,
  lines: readonly WidgetResult[],
  repeated: readonly RepeatedResults[],
): readonly ExportedGrid[] {
  const { widgets, sections, tabs } = structureOf(job.widgets);
  const toExported = widgetExporter(job, lines);
  const shownIn = (those: readonly Widget[], how: ToExported): ExportedWidget[] =>
    those
      .filter((each) => isOnGrid(each) && (job.widgetId === undefined || each.id === job.widgetId))
      .map(how);
  const sectionGrids = (section: Section<Widget>): ExportedGrid[] => {
    const { repetitions = [], note: reason, isRepeated = false } = job.repeated[section.key] ?? {};
    const note = reason && repetitionNote(reason);
    const noted = note !== undefined && { note };
    const gridOf = (title: string, how: ToExported): ExportedGrid => ({
      ...(title !== '' && { heading: { text: title, isTab: false } }),
      widgets: shownIn(section.widgets, how),
    });
    if (!isRepeated) return [{ ...gridOf(section.title, toExported), ...noted }];
    const grids = repetitions.map(({ filter, value, isOfBoolean }) => {
      const text = repetitionText(value, isOfBoolean);
      const own = repeated.find((each) => each.section === section.key && each.value === value)?.lines ?? [];
      const repetition = { filter, value, text, lines: own };
      return gridOf(repeatedTitle(section.title, filter, text), widgetExporter(job, lines, repetition));
    });
    return note === undefined ? grids : [...grids, { note, widgets: [] }];
  };
  const all = [
    { widgets: shownIn(widgets, toExported) },
    ...sections.flatMap(sectionGrids),
    ...tabs.flatMap((tab) => [
      { heading: { text: tabTitle(tab), isTab: true }, widgets: shownIn(tab.widgets, toExported) },
      ...tab.sections.flatMap(sectionGrids),
    ]),
  ];
  const isShown = ({ widgets: those, heading, note }: ExportedGrid): boolean =>
    those.length > 0 || (job.widgetId === undefined && (heading?.isTab === true || note !== undefined));
  return all.filter(isShown);
}

/** The oldest result says how fresh the data is. */
function dataFact(lines: readonly WidgetResult[]): readonly string[] {
  const times = lines.flatMap(({ result }) => (result === undefined ? [] : [Date.parse(result.computedAt)]));
  if (times.length === 0) return [];
  const oldest = times.reduce((one, other) => Math.min(one, other));
  return [t('Data from {time}', { time: timeText(oldest) })];
}

const timeText = (milliseconds: number): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds);
