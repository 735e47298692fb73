import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { DashboardResults } from './use-dashboard-results.ts';

/** A widget with what is known of its report. */
export interface ShownWidget {
  readonly widget: Widget;
  /** Undefined while it waits for its first answer. */
  readonly line: WidgetResult | undefined;
  /** Whether a newer answer is on its way. */
  readonly isOld: boolean;
}

/** Returns what is known of a widget's report. */
export function showWidget(widget: Widget, { lines, round, isReading }: DashboardResults): ShownWidget {
  const known = lines.get(widget.reportId);
  return { widget, line: known?.line, isOld: isReading && known !== undefined && known.round < round };
}

/** Returns how many widgets have the answer that was asked for last. */
export const countLoaded = (
  widgets: readonly Widget[],
  { lines, round }: Pick<DashboardResults, 'lines' | 'round'>,
): number => widgets.filter(({ reportId }) => lines.get(reportId)?.round === round).length;

/** Returns what stands above a widget; undefined while its report is not known. */
export function titleOf({ widget, line }: ShownWidget): string | undefined {
  const own = widget.config['title'];
  if (typeof own === 'string' && own.trim() !== '') return own;
  const { visualization, reportName, problem } = line ?? {};
  if (visualization?.title !== undefined && visualization.title !== '') return visualization.title;
  return reportName ?? (problem && 'Unknown report');
}
