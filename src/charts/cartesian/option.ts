import type { Cartesian } from './kind.ts';
import type { EChartsOption, SeriesOption } from 'echarts';
import { markOfRow, type Mark } from '../marks/mark.ts';
import type { Chart, Threshold, TooltipContent } from '../drawing/chart.ts';
import { axisFormatter } from './axis-formatter.ts';
import { axisOption, slantedLabels } from './axes.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { emptyChart, frameOption, gridOption } from '../drawing/frame-option.ts';
import { resolveColor, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import { findColumn, type ResultRows } from '../values/result-values.ts';
import { seriesPoints, type ChartSeries, type SeriesPoints } from './series-points.ts';
import { seriesColors } from './series-colors.ts';
import { fillSeries, stackSeries } from './stacking.ts';
import { reachedThreshold } from '../values/thresholds.ts';
import { linesOfSides, positionWithValue } from './axis-lines.ts';
import { hasTooManyLabels, labelsOf, tooManyLabels } from './data-labels.ts';
import { linesSeries } from './reference-lines.ts';
import { isHorizontalBar, percentOf, shapeOf } from './shapes.ts';
import { describeLines } from './value-lines.ts';

/** Charts with more points don't mark each point with a symbol. */
const maxSymbols = 60;

/** Returns a bar, line, area or combo chart. */
export function cartesianChart(
  visualization: Cartesian,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const points = seriesPoints(visualization, result);
  if (points === undefined || points.series.length === 0) return emptyChart;
  const { x, notes } = points;
  const { stacking = 'none', splitBy } = visualization;
  const series = withMissingPoints(visualization, points.series);
  const colorOf = seriesColors(series, theme, colors);
  const isHorizontal = isHorizontalBar(visualization);
  const hasLegend = visualization.hasLegend ?? series.length > 1;

  const base = axisOption(theme, {
    scale: points.scale,
    axis: visualization.xAxis,
    labels: points.labels,
    formatter: points.formatX,
    isBase: true,
    isBelow: !isHorizontal,
    isUtc: x.type !== 'instant',
  });
  const measures = measureAxes(visualization, series, theme);
  const split = splitBy === undefined ? undefined : findColumn(result, splitBy);
  const fields = split === undefined ? [x] : [x, split];
  const markAt = (seriesIndex: number, dataIndex: number): Mark | undefined => {
    const one = series[seriesIndex];
    const row = one?.points[dataIndex]?.row;
    return one && row && markOfRow(fields, [one.column], row);
  };
  const lines = linesOfSides(visualization, series);
  const { dataLabels = 'none' } = visualization;
  const option: EChartsOption = {
    ...frameOption(theme, x.type !== 'instant'),
    grid: gridOption({ hasLabels: dataLabels !== 'none' }),
    ...(isHorizontal
      ? {
          xAxis: measures,
          yAxis: { ...base, inverse: points.scale === 'category' || points.scale === 'time' },
        }
      : { xAxis: base, yAxis: measures }),
    series: [
      ...series.map((one) => seriesOption(visualization, one, series, colorOf(one), theme)),
      ...lines.map(({ placed, side, span }) =>
        linesSeries(placed, { position: positionWithValue(series), side, isHorizontal, span, theme }),
      ),
    ],
    ...(points.scale === 'category' && !isHorizontal && { media: slantedLabels(points.labels) }),
  };
  const items = series.map((one) => ({ name: one.name, color: colorOf(one) }));
  return {
    tooltip: {
      trigger: 'axis',
      contentOf: (parts) =>
        tooltipContent(
          points,
          parts.flatMap(({ seriesIndex, dataIndex }) => {
            const one = series[seriesIndex];
            return one === undefined ? [] : [{ one, dataIndex }];
          }),
          stacking === 'percent',
          colorOf,
        ),
    },
    option,
    markAt,
    ...(hasLegend && { legend: { items } }),
    ...(points.scale === 'time' && {
      time: { name: isHorizontal ? 'yAxis' : 'xAxis', isUtc: x.type !== 'instant' },
    }),
    ...(lines.length > 0 && {
      descriptions: [describeLines(lines.flatMap(({ placed }) => placed))],
    }),
    notes: [
      ...notes,
      ...(series.some((one) => hasTooManyLabels(dataLabels, one.points.length)) ? [tooManyLabels()] : []),
    ],
  };
}

function withMissingPoints(visualization: Cartesian, series: readonly ChartSeries[]): readonly ChartSeries[] {
  const { stacking = 'none' } = visualization;
  if (visualization.kind === 'combo') {
    if (stacking === 'none') return series;
    const stacked = series.filter((one) => shapeOf(visualization, one) !== 'line');
    const byIndex = new Map(stackSeries(stacked, 'stacked').map((one) => [one.index, one]));
    return series.map((one) => byIndex.get(one.index) ?? one);
  }
  if (stacking !== 'none') return stackSeries(series, stacking);
  if (visualization.kind !== 'line' || visualization.gaps === undefined || visualization.gaps === 'connect')
    return series;
  return fillSeries(series, visualization.gaps === 'zero' ? 0 : null);
}

/** Returns the axes of the measures: the left one, and the right one if a series uses it. */
function measureAxes(
  visualization: Cartesian,
  series: readonly ChartSeries[],
  theme: ChartTheme,
): ReturnType<typeof axisOption>[] {
  const { stacking, yAxis, rightAxis } = visualization;
  const isPercent = stacking === 'percent';
  const of = (side: 'left' | 'right', axis: Cartesian['yAxis']) => {
    const shown = series.filter(({ description }) => (description.axis ?? 'left') === side);
    const [first] = shown;
    const format: ValueFormat = axis?.format ?? compactOf(first?.description.format);
    return axisOption(theme, {
      scale: axis?.scale === 'log' ? 'log' : 'value',
      axis: isPercent ? { max: 1, ...axis } : axis,
      formatter: isPercent ? percentOf : axisFormatter(format),
      isBase: false,
      isBelow: isHorizontalBar(visualization),
      ...(isPercent && { interval: 0.25 }),
      isFromZero: shown.some((one) => shapeOf(visualization, one) !== 'line'),
    });
  };
  const hasRight = series.some(({ description }) => description.axis === 'right');
  return [
    of('left', yAxis),
    ...(hasRight ? [{ ...of('right', rightAxis), splitLine: { show: false } }] : []),
  ];
}

/** Labels of axes are short, such as `1.2M`. */
const compactOf = (format: ValueFormat | undefined): ValueFormat => ({
  kind: 'number',
  ...format,
  ...(format?.decimals === undefined && { isCompact: true }),
});

function seriesOption(
  visualization: Cartesian,
  one: ChartSeries,
  all: readonly ChartSeries[],
  color: string,
  theme: ChartTheme,
): SeriesOption {
  const { name, description, index, points } = one;
  const { kind, stacking = 'none', thresholds = [] } = visualization;
  const shape = shapeOf(visualization, one);
  const isHorizontal = isHorizontalBar(visualization);
  const side = description.axis === 'right' ? 1 : 0;
  const isStacked = stacking !== 'none' && (kind !== 'combo' || shape !== 'line');
  const isBarByThreshold = kind === 'bar' && all.length === 1 && stacking === 'none';
  const labelAt = labelsOf(visualization, one, shape, isStacked ? color : undefined, theme);
  const pointCount = all.reduce((sum, other) => sum + other.points.length, 0);
  const hasSymbols = pointCount <= maxSymbols || points.length === 1;
  const isLabelled = shape !== 'bar' && points.some((_, index) => labelAt(index) !== undefined);
  const data = points.map(({ position, y }, index) => {
    const value = isHorizontal ? [y ?? '-', position] : [position, y ?? '-'];
    const reached = isBarByThreshold ? reachedThreshold(thresholds, y ?? undefined) : undefined;
    const label = labelAt(index);
    // ECharts writes no label without a symbol.
    if (label === undefined && isLabelled && !hasSymbols) return { value, symbol: 'none' };
    if (reached === undefined && label === undefined) return value;
    return {
      value,
      ...(reached && { itemStyle: { color: resolveColor(reached.color, theme) } }),
      ...(label && { label }),
    };
  });
  const common = {
    name,
    data,
    color,
    animation: false,
    ...(visualization.dataLabels !== undefined && { labelLayout: { hideOverlap: true } }),
    ...(isStacked && { stack: kind === 'combo' ? `${shape} ${side}` : String(side) }),
    ...(side === 1 && (isHorizontal ? { xAxisIndex: 1 } : { yAxisIndex: 1 })),
    ...(index === 0 &&
      !isBarByThreshold &&
      thresholds.length > 0 && { markLine: thresholdLines(thresholds, theme, isHorizontal) }),
  };
  if (shape === 'bar') {
    return {
      ...common,
      type: 'bar',
      // ECharts draws a large series at once, which requires that all bars have the same color.
      large: !isBarByThreshold || thresholds.length === 0,
      largeThreshold: 2_000,
      barMaxWidth: 64,
      itemStyle: { borderRadius: isStacked ? 0 : 2 },
    };
  }
  return {
    ...common,
    type: 'line',
    smooth: 'isSmooth' in visualization && visualization.isSmooth ? 0.3 : false,
    // Lines are above the bars, whatever their order.
    ...(kind === 'combo' && { z: 3 }),
    showSymbol: hasSymbols || isLabelled,
    ...(isLabelled && { showAllSymbol: true }),
    symbol: 'circle',
    symbolSize: 5,
    lineStyle: { width: 2 },
    connectNulls: kind === 'line' && visualization.gaps === 'connect',
    ...(shape === 'area' && { areaStyle: { opacity: isStacked ? 0.6 : 0.25 } }),
  };
}

const thresholdLines = (
  thresholds: readonly Threshold[],
  theme: ChartTheme,
  isHorizontal: boolean,
): NonNullable<Extract<SeriesOption, { type?: 'line' }>['markLine']> => ({
  silent: true,
  symbol: 'none',
  data: thresholds.map(({ from, color, label }) => ({
    [isHorizontal ? 'xAxis' : 'yAxis']: from,
    lineStyle: { color: resolveColor(color, theme), type: 'dashed', width: 1.5 },
    label: {
      show: label !== undefined,
      formatter: () => label ?? '',
      color: theme.text,
      position: 'insideEndTop',
    },
  })),
});

function tooltipContent(
  { x, formatX, scale, labels }: SeriesPoints,
  parts: readonly { readonly one: ChartSeries; readonly dataIndex: number }[],
  isPercent: boolean,
  colorOf: (series: ChartSeries) => string,
): TooltipContent | undefined {
  const first = parts[0]?.one.points[parts[0].dataIndex];
  if (first === undefined) return undefined;
  const lines = parts.flatMap(({ one, dataIndex }) => {
    const { y = null, row } = one.points[dataIndex] ?? {};
    if (y === null || row === undefined) return [];
    const value = one.format(row[one.column.index]);
    return [
      { label: one.name, value: isPercent ? `${percentOf(y)} (${value})` : value, color: colorOf(one), y },
    ];
  });
  const point = parts.find(({ one, dataIndex }) => one.points[dataIndex]?.row)?.one.points[
    parts[0]?.dataIndex ?? 0
  ];
  const title =
    scale === 'category' ? (labels[first.position] ?? '') : formatX((point ?? first).row?.[x.index] ?? null);
  return { title, lines: lines.toSorted((a, b) => b.y - a.y) };
}
