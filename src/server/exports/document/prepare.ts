import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { chartLoaders } from '#charts/charts.ts';
import type { Chart, ChartKind } from '#charts/drawing/chart.ts';
import { chartTheme } from '#charts/drawing/palette.ts';
import type { ValueColors } from '#charts/drawing/value-colors.ts';
import { withLabels } from '#charts/labels.ts';
import { faultMessages } from '#charts/messages.ts';
import type { OfKind } from '#charts/kind.ts';
import { widgetProblemMessage } from '#charts/widgets/problem-message.ts';
import type { ExportedWidget } from './document.ts';

/** What the body of a widget shows. */
export type WidgetBody =
  | { readonly kind: 'message'; readonly title?: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'chart';
      readonly parts: ChartKind['parts'];
      /** Returns the chart in the colors that are known when it is called. */
      readonly toChart: () => Chart;
    }
  | { readonly kind: 'number'; readonly visualization: OfKind<'number'>; readonly result: ReportResult }
  | { readonly kind: 'text'; readonly visualization: OfKind<'text'>; readonly result: ReportResult }
  | {
      readonly kind: 'table';
      readonly visualization: Visualization;
      readonly result: ReportResult;
      /** Why it is not shown as configured. */
      readonly faults: readonly string[];
    };

/** Returns what a widget shows, as on the page. Loads what its kind of chart needs. */
export async function prepareBody(
  { line, whenEmpty }: Pick<ExportedWidget, 'line' | 'whenEmpty'>,
  colors: ValueColors,
): Promise<WidgetBody> {
  const { result } = line ?? {};
  if (result === undefined || line?.visualization === undefined) return problemBody(line);
  const visualization = withLabels(line.visualization, result);
  const { kind } = visualization;
  if (kind === 'text') return { kind, visualization, result };
  const load = chartLoaders.get(kind);
  const isChart = load !== undefined || kind === 'number';
  if (!isChart || result.faults.length > 0) {
    const faults = isChart ? faultMessages(visualization, result.faults) : [];
    return { kind: 'table', visualization, result, faults };
  }
  if (result.rows.length === 0) return { kind: 'message', lines: [whenEmpty] };
  if (kind === 'number') return { kind, visualization, result };
  if (load === undefined) return { kind: 'table', visualization, result, faults: [] };
  const chartKind = await load();
  const toChart = (): Chart => chartKind.toChart(visualization, result, chartTheme(false), colors);
  // The colors of a value are the same in all charts, and depend on the values of all.
  toChart();
  return { kind: 'chart', parts: chartKind.parts, toChart };
}

function problemBody(line: WidgetResult | undefined): WidgetBody {
  const { title, lines } = widgetProblemMessage(line);
  return { kind: 'message', title, lines };
}
