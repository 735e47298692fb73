import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { FilteredLine } from '../filters/filters.ts';
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

/** Returns the title of a widget: its own, or that of its report; undefined if the report isn't known. */
export function titleOf({
  widget,
  line,
}: {
  readonly widget: Pick<Widget, 'config'>;
  readonly line: WidgetResult | undefined;
}): string | undefined {
  return ownTitleOf(widget) ?? (line?.visualization?.title || line?.reportName || undefined);
}

/** Returns the title that a widget was given; undefined if it shows that of its report. */
export function ownTitleOf({ config }: Pick<Widget, 'config'>): string | undefined {
  const title = config['title'];
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}
