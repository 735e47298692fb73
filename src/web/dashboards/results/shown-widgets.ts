import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { DashboardResults } from './use-dashboard-results.ts';

/** A widget with the result of its report. */
export interface ShownWidget {
  readonly widget: Widget;
  /** Undefined until its first result arrives. */
  readonly line: WidgetResult | undefined;
  /** Whether a newer result is on its way. */
  readonly isOld: boolean;
}

/** Returns a widget with the result of its report. */
export function showWidget(widget: Widget, { lines, round, isLoading }: DashboardResults): ShownWidget {
  const known = lines.get(widget.id);
  return { widget, line: known?.line, isOld: isLoading && known !== undefined && known.round < round };
}

/** Returns how many widgets have the result of the last request. */
export const countLoaded = (
  widgets: readonly Widget[],
  { lines, round }: Pick<DashboardResults, 'lines' | 'round'>,
): number => widgets.filter(({ id }) => lines.get(id)?.round === round).length;

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
