import { isNumeric, isTemporal } from '#shared/columns.ts';
import type { LineSeriesOption, ScatterSeriesOption, VisualMapComponentOption } from 'echarts';
import { trendOf, trendText, type Trend } from './trend.ts';
import type { OfKind } from '../kind.ts';
import type { Chart } from '../drawing/chart.ts';
import { axisFormatter } from '../cartesian/axis-formatter.ts';
import { axisOption, type AxisScale } from '../cartesian/axes.ts';
import { labelFormatter, maxLabels, tooManyLabels } from '../cartesian/data-labels.ts';
import { withLines, type LinesOfAxis } from '../cartesian/value-lines.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption, gridOption } from '../drawing/frame-option.ts';
import { mixColors } from '#shared/branding/contrast.ts';
import { t } from '#shared/language/messages.ts';
import { colorAt, restColor, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import {
  extentOf,
  findColumn,
  toNumber,
  toPosition,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';

const maxGroups = 12;
const minDiameterPx = 7;
const maxDiameterPx = 42;

interface ScatterPoint {
  readonly row: readonly unknown[];
  readonly x: number;
  readonly y: number;
}

/** Returns a chart of points by two numbers or times. Another column can determine their size, and another their color. */
export function scatterChart(
  visualization: OfKind<'scatter'>,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const find = (field: string | undefined) => (field === undefined ? undefined : findColumn(result, field));
  const x = find(visualization.x);
  const y = find(visualization.y);
  if (x === undefined || y === undefined) return emptyChart;
  const [size, color, label] = [visualization.size, visualization.color, visualization.label].map(find);
  const points = result.rows.flatMap((row): ScatterPoint[] => {
    const [atX, atY] = [toPosition(row[x.index], x.type), toPosition(row[y.index], y.type)];
    return atX === undefined || atY === undefined ? [] : [{ row, x: atX, y: atY }];
  });
  const isMeasured = color !== undefined && isNumeric(color.type);
  const groups = groupPoints(points, isMeasured ? undefined : color);
  const indexes = colors.indexesOf(
    isMeasured || color === undefined ? [] : groups.filter(({ isRest }) => !isRest).map(({ name }) => name),
  );
  const diameter = size && diameterOf(points, size);
  const formatLabel = label && createFormatter(label);
  const labelled = label ?? y;
  const writeLabel =
    label === undefined ? labelFormatter(y, visualization.yAxis?.format) : createFormatter(label);
  const hasLabels = visualization.hasDataLabels === true;
  const labelOf =
    hasLabels && points.length <= maxLabels
      ? (row: readonly unknown[] | undefined) => (row === undefined ? '' : writeLabel(row[labelled.index]))
      : undefined;
  const shown = [x, y, size, color].filter((column) => column !== undefined);
  const omitted = result.rows.length - points.length;
  const trend = visualization.hasTrendLine === true ? trendOf(points) : undefined;

  const pointAt = (seriesIndex: number, dataIndex: number): ScatterPoint | undefined =>
    groups[seriesIndex]?.points[dataIndex];
  const named = [label, isMeasured ? undefined : color].filter((column) => column !== undefined);

  const axisOf = (column: ResultColumn, axis: OfKind<'scatter'>['xAxis'], isBase: boolean) =>
    axisOption(theme, {
      scale: scaleOf(column, axis?.scale),
      axis: { title: column.name, ...axis },
      formatter:
        column.type === 'time'
          ? createFormatter(column, axis?.format)
          : axisFormatter(axis?.format ?? { kind: 'auto' }),
      isBase,
      isUtc: [x, y].every(({ type }) => type !== 'instant'),
    });

  const colorOf = ({ name, isRest }: Pick<PointGroup, 'name' | 'isRest'>) =>
    isRest ? restColor(theme) : colorAt(theme, indexes.get(name) ?? 0);

  const chart: Chart = {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const row = part && pointAt(part.seriesIndex, part.dataIndex)?.row;
        return (
          row && {
            title: label && formatLabel ? formatLabel(row[label.index]) : '',
            lines: shown.map((column) => ({
              label: column.name,
              value: createFormatter(column)(row[column.index]),
            })),
          }
        );
      },
    },
    option: {
      ...frameOption(
        theme,
        [x, y].every(({ type }) => type !== 'instant'),
      ),
      grid: gridOption({ hasLabels: labelOf !== undefined }),
      xAxis: axisOf(x, visualization.xAxis, true),
      yAxis: axisOf(y, visualization.yAxis, false),
      ...(isMeasured && { visualMap: colorScale(points, color, theme) }),
      series: [
        ...groups.map(({ name, points, isRest }): ScatterSeriesOption => ({
          type: 'scatter',
          name,
          animation: false,
          color: colorOf({ name, isRest }),
          itemStyle: { opacity: 0.75, borderColor: theme.surface, borderWidth: 1 },
          // ECharts draws a large series at once, which requires that all points have the same size and color.
          large: size === undefined && !isMeasured,
          largeThreshold: 2_000,
          data: points.map((point) => [
            point.x,
            point.y,
            ...(isMeasured ? [toNumber(point.row[color.index]) ?? '-'] : []),
          ]),
          ...(labelOf !== undefined && {
            label: {
              show: true,
              position: 'top',
              fontSize: 11,
              color: theme.text,
              textBorderColor: theme.surface,
              textBorderWidth: 2,
              formatter: ({ dataIndex }) => labelOf(points[dataIndex]?.row),
            },
            labelLayout: { hideOverlap: true },
          }),
          symbolSize:
            diameter === undefined
              ? minDiameterPx
              : (_: unknown, { dataIndex }: { dataIndex: number }) => diameter(points[dataIndex]?.row),
        })),
        ...(trend === undefined ? [] : [trendSeries(trend, theme)]),
      ],
    },
    markAt: (seriesIndex, dataIndex) => {
      const row = pointAt(seriesIndex, dataIndex)?.row;
      return row && { ...markOfRow(named, [x, y], row), key: JSON.stringify(row) };
    },
    ...(isTemporal(x.type) && {
      time: { name: 'xAxis', isUtc: [x, y].every(({ type }) => type !== 'instant') },
    }),
    ...(groups.length > 1 && {
      legend: { items: groups.map((group) => ({ name: group.name, color: colorOf(group) })) },
    }),
    notes: [
      ...(trend === undefined ? [] : [trendText(trend, isTemporal(x.type))]),
      ...(hasLabels && labelOf === undefined ? [tooManyLabels()] : []),
      ...(omitted > 0
        ? [
            t('{omitted} of {count} rows not shown: they lack an x or y value.', {
              omitted,
              count: result.rows.length,
            }),
          ]
        : []),
    ],
  };
  const linesOf = (
    wanted: 'x' | 'y',
    column: ResultColumn,
    axis: OfKind<'scatter'>['xAxis'],
  ): LinesOfAxis[] => {
    const other = points[0]?.[wanted === 'x' ? 'y' : 'x'];
    if (other === undefined || !isNumeric(column.type)) return [];
    return [
      {
        lines: (visualization.referenceLines ?? []).filter(({ axis: one = 'y' }) => one === wanted),
        values: points.map((point) => point[wanted]),
        format: labelFormatter({ type: 'double' }, axis?.format),
        isLog: axis?.scale === 'log',
        isAcross: wanted === 'x',
        position: other,
      },
    ];
  };
  return withLines(
    chart,
    [...linesOf('x', x, visualization.xAxis), ...linesOf('y', y, visualization.yAxis)],
    theme,
  );
}

/** Returns the line of a trend from the first to the last point. */
const trendSeries = ({ start, end }: Trend, theme: ChartTheme): LineSeriesOption => ({
  type: 'line',
  animation: false,
  silent: true,
  symbol: 'none',
  lineStyle: { color: theme.text, width: 2, type: 'dashed' },
  data: [[...start], [...end]],
});

function scaleOf({ type }: ResultColumn, scale: string | undefined): AxisScale {
  if (isTemporal(type)) return 'time';
  return scale === 'log' ? 'log' : 'value';
}

interface PointGroup {
  readonly name: string;
  readonly points: readonly ScatterPoint[];
  /** Whether it combines the smallest groups. */
  readonly isRest: boolean;
}

/** Returns the points grouped by the values of a column. If there are more groups than colors, the smallest are combined. */
function groupPoints(
  points: readonly ScatterPoint[],
  column: ResultColumn | undefined,
): readonly PointGroup[] {
  if (column === undefined) return [{ name: '', points, isRest: false }];
  const format = createFormatter(column);
  const byName = [...Map.groupBy(points, ({ row }) => format(row[column.index]))]
    .map(([name, points]) => ({ name, points, isRest: false }))
    .toSorted((a, b) => b.points.length - a.points.length);
  if (byName.length <= maxGroups) return byName;
  const rest = byName.slice(maxGroups - 1);
  return [
    ...byName.slice(0, maxGroups - 1),
    {
      name: t('Other ({count})', { count: rest.length }),
      points: rest.flatMap(({ points }) => points),
      isRest: true,
    },
  ];
}

/** Returns a function that returns the diameter of a point in pixels, so that its area is proportional to its size. */
function diameterOf(
  points: readonly ScatterPoint[],
  size: ResultColumn,
): (row: readonly unknown[] | undefined) => number {
  const largest = extentOf(points.map(({ row }) => toNumber(row[size.index])))?.max ?? 0;
  return (row) => {
    const share = largest <= 0 ? 0 : Math.max(toNumber(row?.[size.index]) ?? 0, 0) / largest;
    return Math.max(Math.sqrt(share) * maxDiameterPx, minDiameterPx);
  };
}

function colorScale(
  points: readonly ScatterPoint[],
  column: ResultColumn,
  theme: ChartTheme,
): VisualMapComponentOption {
  const extent = extentOf(points.map(({ row }) => toNumber(row[column.index])));
  const full = theme.colors[0] ?? theme.text;
  return {
    type: 'continuous',
    show: false,
    dimension: 2,
    min: extent?.min ?? 0,
    max: extent?.max ?? 1,
    inRange: { color: [mixColors(full, theme.surface, 0.6), full] },
  };
}
