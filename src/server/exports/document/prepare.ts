import { use } from 'echarts/core';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { valueOfReference } from '#charts/content/reference-values.ts';
import { contentOf, type Content } from '#shared/content-widgets/content-widgets.ts';
import { chartLoaders } from '#charts/charts.ts';
import type { Chart } from '#charts/drawing/chart.ts';
import { withPatterns } from '#charts/drawing/patterns.ts';
import { chartTheme } from '#charts/drawing/palette.ts';
import type { ValueColors } from '#charts/drawing/value-colors.ts';
import { withAnnotations } from '#charts/time/annotations.ts';
import { withLabels } from '#charts/labels.ts';
import { faultMessages } from '#charts/messages.ts';
import type { OfKind } from '#charts/kind.ts';
import { pivotOf, type Pivot } from '#charts/pivot/pivot.ts';
import { widgetProblemMessage } from '#charts/widgets/problem-message.ts';
import { imageIdsInText, type ShownImage } from '#shared/images/image-value.ts';
import { shownImage } from '../drawing/content/image.ts';
import type { ValueOf } from '../drawing/content/runs.ts';
import type { ExportedDocument, ExportedWidget } from './exported.ts';
import type { LoadedImage, LoadImage } from './images.ts';

/** What the body of a widget shows. */
export type WidgetBody =
  | {
      readonly kind: 'content';
      readonly content: Content | undefined;
      readonly valueOf: ValueOf;
      /** Returns an image that it shows; undefined if its description is shown instead. */
      readonly imageOf: (image: ShownImage) => LoadedImage | undefined;
    }
  | { readonly kind: 'message'; readonly title?: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'chart';
      /** Returns the chart in the colors that are known when it is called. */
      readonly toChart: () => Chart;
    }
  | { readonly kind: 'number'; readonly visualization: OfKind<'number'>; readonly result: ReportResult }
  | { readonly kind: 'text'; readonly visualization: OfKind<'text'>; readonly result: ReportResult }
  | { readonly kind: 'pivot'; readonly pivot: Pivot }
  | {
      readonly kind: 'table';
      readonly visualization: Visualization;
      readonly result: ReportResult;
      /** Why it is not shown as configured. */
      readonly faults: readonly string[];
    };

/** What all charts of a document have in common. */
export type ChartSettings = Pick<ExportedDocument, 'annotations' | 'hasPatterns'>;

/** Returns what a widget shows, as on the page. Loads what its kind of chart needs. */
export async function prepareBody(
  { widget, references, loadImage, line, whenEmpty }: ExportedWidget,
  colors: ValueColors,
  { annotations, hasPatterns }: ChartSettings,
): Promise<WidgetBody> {
  if (references !== undefined) {
    const valueOf: ValueOf = (reference) => valueOfReference(reference, references);
    const content = contentOf(widget);
    const images = await loadImages(imagesIn(content, valueOf), loadImage);
    return { kind: 'content', content, valueOf, imageOf: (image) => images.get(keyOf(image)) };
  }
  const { result } = line ?? {};
  if (result === undefined || line?.visualization === undefined) return problemBody(line);
  const visualization = withLabels(line.visualization, result);
  const { kind } = visualization;
  if (kind === 'text') return { kind, visualization, result };
  const load = chartLoaders.get(kind);
  const isChart = load !== undefined || kind === 'number' || kind === 'pivot';
  if (!isChart || result.faults.length > 0) {
    const faults = isChart ? faultMessages(visualization, result.faults) : [];
    return { kind: 'table', visualization, result, faults };
  }
  if (result.rows.length === 0) return { kind: 'message', lines: [whenEmpty] };
  if (kind === 'number') return { kind, visualization, result };
  const pivot = kind === 'pivot' ? pivotOf(visualization, result) : undefined;
  if (pivot !== undefined) return { kind: 'pivot', pivot };
  if (load === undefined) return { kind: 'table', visualization, result, faults: [] };
  const chartKind = await load();
  // Maps are registered when their chart is created.
  use([...chartKind.parts]);
  const theme = chartTheme(false);
  const toChart = (): Chart => {
    const plain = chartKind.toChart(visualization, result, theme, colors);
    const noted = withAnnotations(plain, annotations, theme);
    return hasPatterns ? withPatterns(noted, theme) : noted;
  };
  // The colors of a value are the same in all charts, and depend on the values of all.
  toChart();
  return { kind: 'chart', toChart };
}

/** Returns the images that a content shows. */
function imagesIn(content: Content | undefined, valueOf: ValueOf): readonly ShownImage[] {
  if (content?.kind === 'text') return imageIdsInText(content.text).map((id) => ({ id }));
  const image = content?.kind === 'image' ? shownImage(content.source, valueOf) : undefined;
  return image === undefined ? [] : [image];
}

async function loadImages(
  images: readonly ShownImage[],
  load: LoadImage | undefined,
): Promise<ReadonlyMap<string, LoadedImage>> {
  const loaded = new Map<string, LoadedImage>();
  for (const image of images) {
    const found = await load?.(image);
    if (found !== undefined) loaded.set(keyOf(image), found);
  }
  return loaded;
}

const keyOf = (image: ShownImage): string => ('id' in image ? image.id : image.dataUrl);

function problemBody(line: WidgetResult | undefined): WidgetBody {
  const { title, lines } = widgetProblemMessage(line);
  return { kind: 'message', title, lines };
}
