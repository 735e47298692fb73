import { isNumeric, isTemporal } from '#shared/columns.ts';
import type { ScatterSeriesOption, VisualMapComponentOption } from 'echarts';
import type { OfKind, Picked } from '../kind.ts';
import type { Chart } from '../echarts/chart.ts';
import { axisOption, type AxisScale } from '../cartesian/axes.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption, gridOption, legendOption } from '../echarts/frame-option.ts';
import { colorAt, mixColors, type ChartTheme } from '../echarts/palette.ts';
import {
  findColumn,
  toNumber,
  toPosition,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import { tooltipOption } from '../echarts/tooltip.ts';

const mostGroups = 12;
const smallestPx = 7;
const largestPx = 42;

interface ScatterPoint {
  readonly row: readonly unknown[];
  readonly x: number;
  readonly y: number;
}

/** Returns points by two measures or times; a third may be their size, a fourth column their colour. */
export function scatterChart(visualization: OfKind<'scatter'>, result: ResultRows, theme: ChartTheme): Chart {
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
  const radius = radiusOf(points, size);
  const formatLabel = label && createFormatter(label);
  const shown = [x, y, size, color].filter((column) => column !== undefined);
  const left = result.rows.length - points.length;

  const pointAt = (seriesIndex: number, dataIndex: number): ScatterPoint | undefined =>
    groups[seriesIndex]?.points[dataIndex];
  const picked = [label, isMeasured ? undefined : color].filter((column) => column !== undefined);

  const axisOf = (column: ResultColumn, axis: OfKind<'scatter'>['xAxis'], isAlong: boolean) =>
    axisOption(theme, {
      scale: scaleOf(column, axis?.scale),
      axis: { title: column.name, ...axis },
      formatter: createFormatter(column.type === 'time' ? column : { type: 'double' }, axis?.format),
      isAlong,
    });

  return {
    option: {
      ...frameOption(
        theme,
        [x, y].every(({ type }) => type !== 'instant'),
      ),
      grid: gridOption({ hasLegend: groups.length > 1 }),
      xAxis: axisOf(x, visualization.xAxis, true),
      yAxis: axisOf(y, visualization.yAxis, false),
      legend: legendOption(theme, groups.length > 1),
      ...(isMeasured && { visualMap: colorScale(points, color, theme) }),
      tooltip: tooltipOption(theme, 'item', ([part]) => {
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
      }),
      series: groups.map(({ name, points }, index): ScatterSeriesOption => ({
        type: 'scatter',
        name,
        animation: false,
        color: colorAt(theme, index),
        itemStyle: { opacity: 0.75, borderColor: theme.surface, borderWidth: 1 },
        ...(size === undefined && points.length > 2_000 && { large: true, largeThreshold: 2_000 }),
        data: points.map((point) => [
          point.x,
          point.y,
          ...(isMeasured ? [toNumber(point.row[color.index]) ?? '-'] : []),
        ]),
        symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => radius(points[dataIndex]?.row),
      })),
    },
    fields: picked.map(({ name }) => name),
    pickedAt: (seriesIndex, dataIndex): Picked[] => {
      const row = pointAt(seriesIndex, dataIndex)?.row;
      return row ? picked.map((column) => ({ field: column.name, value: row[column.index] })) : [];
    },
    notes: left > 0 ? [`${left} of ${result.rows.length} rows not shown: they lack an x or y value.`] : [],
  };
}

function scaleOf({ type }: ResultColumn, scale: string | undefined): AxisScale {
  if (isTemporal(type)) return 'time';
  return scale === 'log' ? 'log' : 'value';
}

/** Returns the points by the values of a column, the rarest together once there are more than colours. */
function groupPoints(
  points: readonly ScatterPoint[],
  column: ResultColumn | undefined,
): { name: string; points: ScatterPoint[] }[] {
  if (column === undefined) return [{ name: '', points: [...points] }];
  const format = createFormatter(column);
  const byName = [...Map.groupBy(points, ({ row }) => format(row[column.index]))]
    .map(([name, points]) => ({ name, points }))
    .toSorted((a, b) => b.points.length - a.points.length);
  if (byName.length <= mostGroups) return byName;
  const rest = byName.slice(mostGroups - 1);
  return [
    ...byName.slice(0, mostGroups - 1),
    { name: `Other (${rest.length})`, points: rest.flatMap(({ points }) => points) },
  ];
}

/** Returns the diameter of a point in pixels, so that its area is its size. */
function radiusOf(
  points: readonly ScatterPoint[],
  size: ResultColumn | undefined,
): (row: readonly unknown[] | undefined) => number {
  if (size === undefined) return () => smallestPx;
  let largest = 0;
  for (const { row } of points) largest = Math.max(largest, toNumber(row[size.index]) ?? 0);
  return (row) => {
    const share = largest === 0 ? 0 : Math.max(toNumber(row?.[size.index]) ?? 0, 0) / largest;
    return Math.max(Math.sqrt(share) * largestPx, smallestPx);
  };
}

function colorScale(
  points: readonly ScatterPoint[],
  column: ResultColumn,
  theme: ChartTheme,
): VisualMapComponentOption {
  let min = Infinity;
  let max = -Infinity;
  for (const { row } of points) {
    const value = toNumber(row[column.index]);
    min = Math.min(min, value ?? min);
    max = Math.max(max, value ?? max);
  }
  const full = theme.colors[0] ?? theme.text;
  const isEmpty = min > max;
  return {
    type: 'continuous',
    show: false,
    dimension: 2,
    min: isEmpty ? 0 : min,
    max: isEmpty ? 1 : max,
    inRange: { color: [mixColors(full, theme.surface, 0.6), full] },
  };
}
