import type { LineSeriesOption } from 'echarts';
import { isDay, type Annotation } from '#shared/annotations/annotations.ts';
import { t } from '#shared/language/messages.ts';
import { dateFormat } from '#shared/region/intl.ts';
import type { Chart, TooltipContent } from '../drawing/chart.ts';
import { resolveColor, type ChartTheme } from '../drawing/palette.ts';
import { dataOf, seriesOf } from '../drawing/parts.ts';
import { closestTo, positionOf, positionsOf, withSeries } from './time-axis.ts';
import { toPosition, toWallTime, type WallTime } from './wall-clock.ts';

/** Returns the time that people read for a time of an annotation: a day is the same everywhere, and an instant in their zone. */
const wallTimeOf = (time: string): WallTime => toWallTime(Date.parse(time), isDay(time));

/** Returns when an annotation is, such as `Jan 5, 2026` or `Jan 5 – 8, 2026`, in the locale and the zone of the reader. */
export function annotationTimeText({ from, to }: Annotation, locale?: string): string {
  const hasTime = !isDay(from) || (to !== undefined && !isDay(to));
  const format = dateFormat(
    { dateStyle: 'medium', ...(hasTime && { timeStyle: 'short' }), timeZone: 'UTC' },
    locale,
  );
  const start = wallTimeOf(from);
  return to === undefined ? format.format(start) : format.formatRange(start, wallTimeOf(to));
}

interface PlacedAnnotation {
  readonly annotation: Annotation;
  readonly start: number;
  readonly end: number | undefined;
}

/**
 * Returns a chart over time with the annotations of its dashboard: a line at a day or an instant, an area at a range. The tooltip of
 * the closest point, or of each bar that they are within, has their texts, and so has the description for people who use a screen reader. The axis stays as it is.
 */
export function withAnnotations(chart: Chart, annotations: readonly Annotation[], theme: ChartTheme): Chart {
  const { spans } = chart;
  const time = chart.time ?? (spans && { name: 'xAxis' as const, isUtc: spans.isUtc, range: spans.range });
  if (time === undefined || annotations.length === 0) return chart;
  const positions = positionsOf(chart, time);
  const [first = Infinity, last = -Infinity] = time.range ?? [positions[0], positions.at(-1)];
  const placed = annotations.flatMap((annotation): PlacedAnnotation[] => {
    const start = toPosition(wallTimeOf(annotation.from), time.isUtc);
    const end = annotation.to === undefined ? undefined : toPosition(wallTimeOf(annotation.to), time.isUtc);
    return start > last || (end ?? start) < first ? [] : [{ annotation, start, end }];
  });
  if (placed.length === 0) return chart;
  const byPosition = Map.groupBy(
    placed,
    ({ start }) => positions[closestTo(positions, Math.min(Math.max(start, first), last))] ?? first,
  );
  const series = seriesOf(chart);
  const texts = placed.map(({ annotation }) => `${annotationTimeText(annotation)}: ${annotation.text}`);
  return {
    ...withSeries(chart, annotationSeries(placed, first, last, time.name, theme)),
    descriptions: [...(chart.descriptions ?? []), t('Annotations: {list}.', { list: texts.join('; ') })],
    ...(chart.tooltip && {
      tooltip: {
        ...chart.tooltip,
        contentOf: (parts) => {
          const content = chart.tooltip?.contentOf(parts);
          const [part] = parts;
          const point = part && dataOf(series[part.seriesIndex] ?? {})[part.dataIndex];
          const span = part && spans?.spanOf(part.dataIndex);
          const here =
            spans === undefined
              ? byPosition.get(positionOf(point, time) ?? Number.NaN)
              : placed.filter(({ start, end = start }) => span && start <= span[1] && end >= span[0]);
          return content && here ? withTexts(content, here, theme) : content;
        },
      },
    }),
  };
}

/** The annotations come first, because a tooltip shows only the first lines of many. */
const withTexts = (
  content: TooltipContent,
  placed: readonly PlacedAnnotation[],
  theme: ChartTheme,
): TooltipContent => ({
  ...content,
  lines: [
    ...placed.map(({ annotation }) => ({
      label: annotation.text,
      value: annotationTimeText(annotation),
      color: colorOf(annotation, theme),
    })),
    ...content.lines,
  ],
});

const colorOf = ({ color }: Annotation, theme: ChartTheme): string =>
  color === undefined ? theme.dimmed : resolveColor(color, theme);

/** The text beside a line is cut off after so many letters; the tooltip and the list of annotations have all of it. */
const maxLabelLength = 20;

const shorten = (text: string): string => {
  const line = text.split(/\s+/).join(' ');
  return line.length <= maxLabelLength ? line : `${line.slice(0, maxLabelLength - 1).toWellFormed()}…`;
};

/** Returns an invisible series that draws the annotations; in part if they begin or end outside of the axis. */
const annotationSeries = (
  placed: readonly PlacedAnnotation[],
  first: number,
  last: number,
  axis: 'xAxis' | 'yAxis',
  theme: ChartTheme,
): LineSeriesOption => ({
  type: 'line',
  animation: false,
  silent: true,
  data: [],
  tooltip: { show: false },
  z: 5,
  markLine: {
    silent: true,
    symbol: 'none',
    animation: false,
    data: placed.map(({ annotation, start }) => ({
      [axis]: Math.max(start, first),
      lineStyle: { color: colorOf(annotation, theme), type: 'solid', width: 1.5 },
      label: {
        show: true,
        formatter: () => shorten(annotation.text),
        position: 'insideEndTop',
        color: theme.text,
        backgroundColor: theme.surface,
        padding: [1, 3],
        borderRadius: 2,
        fontSize: 10,
      },
    })),
  },
  markArea: {
    silent: true,
    animation: false,
    data: placed.flatMap(({ annotation, start, end }) =>
      end === undefined
        ? []
        : [
            [
              {
                [axis]: Math.max(start, first),
                itemStyle: { color: colorOf(annotation, theme), opacity: 0.14 },
              },
              { [axis]: Math.min(end, last) },
            ],
          ],
    ),
  },
});
