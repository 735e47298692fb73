import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { FilteredLine } from '#shared/dashboard-filters/filter-list.ts';
import type { LoadedResults } from './loader.ts';

/** A widget with the result of its report. */
export interface ShownWidget {
  readonly widget: Widget;
  /** Undefined until its first result arrives. */
  readonly line: WidgetResult | undefined;
  /** Whether a newer result is on its way. */
  readonly isOld: boolean;
  /** Whether no result has arrived, and none is on its way. */
  readonly isMissing: boolean;
}

/** Returns a widget with the result of a slot. */
export function showWidget(
  widget: Widget,
  slot: string,
  { lines, round, loading, missing }: LoadedResults,
): ShownWidget {
  const known = lines.get(slot);
  return {
    widget,
    line: known?.line,
    isOld: known !== undefined && known.round < round && loading.has(slot),
    isMissing: known === undefined && missing.has(slot),
  };
}

/** Returns the slots whose results are not old, or won't arrive. */
export const countLoaded = ({ wanted, loading, lines, round }: LoadedResults): number =>
  wanted.filter(({ slot }) => !loading.has(slot) || lines.get(slot)?.round === round).length;

/** Returns the lines about widgets, each with the config of its widget, which says what filters apply. */
export const linesOf = (
  widgets: readonly Widget[],
  { lines }: Pick<LoadedResults, 'lines'>,
): FilteredLine[] => {
  const byWidget = new Map<string, WidgetResult>();
  for (const { line, widgetId } of lines.values()) if (!byWidget.has(widgetId)) byWidget.set(widgetId, line);
  return widgets.flatMap(({ id, config }) => {
    const line = byWidget.get(id);
    return line === undefined ? [] : [{ ...line, widgetIds: [id], config }];
  });
};
