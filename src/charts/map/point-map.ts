import type { ScatterSeriesOption } from 'echarts';
import { t } from '#shared/language/messages.ts';
import type { Chart } from '../drawing/chart.ts';
import { frameOption } from '../drawing/frame-option.ts';
import { colorAt, restColor, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { extentOf, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';
import { baseMap } from './base-map.ts';
import { around, geometryOfMap, type Point } from './geometry.ts';

/** More groups than this have the same color. */
const maxGroups = 12;
const minDiameterPx = 7;
const maxDiameterPx = 40;
const minLargestPx = 14;
/** More points than this are drawn at once, in one size. */
const maxSized = 2_000;

interface Columns {
  readonly latitude: ResultColumn;
  readonly longitude: ResultColumn;
  readonly value: ResultColumn | undefined;
  readonly color: ResultColumn | undefined;
  readonly label: ResultColumn | undefined;
}

interface MapPoint {
  readonly row: readonly unknown[];
  readonly at: Point;
}

interface Group {
  /** Undefined for the points of all other groups. */
  readonly name: string | undefined;
  readonly points: readonly MapPoint[];
}

/** Returns a map with a point for each row, whose size and color can depend on other columns. It shows the part with points. */
export function pointMap(
  { map = 'world', format }: OfKind<'map'>,
  columns: Columns,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const { latitude, longitude, value, color, label } = columns;
  const { place } = geometryOfMap(map);
  const points = result.rows.flatMap((row): MapPoint[] => {
    const [north, east] = [toNumber(row[latitude.index]), toNumber(row[longitude.index])];
    if (north === undefined || east === undefined) return [];
    if (Math.abs(north) > 90 || Math.abs(east) > 180) return [];
    const at = place(east, north);
    return at === undefined ? [] : [{ row, at }];
  });
  const groups = groupsOf(points, color);
  const names = groups.flatMap(({ name }) => (color === undefined || name === undefined ? [] : [name]));
  const indexes = colors.indexesOf(names);
  const colorOf = ({ name }: Group) =>
    color === undefined
      ? colorAt(theme, 0)
      : name === undefined
        ? restColor(theme)
        : colorAt(theme, indexes.get(name) ?? 0);
  const diameter = value && points.length <= maxSized ? diameterOf(points, value) : undefined;
  const shown = [value, color, latitude, longitude].filter((column) => column !== undefined);
  const identity = label === undefined ? [latitude, longitude] : [label];
  const omitted = result.rows.length - points.length;
  const writeLabel = label && createFormatter(label);
  const pointAt = (seriesIndex: number, dataIndex: number) => groups[seriesIndex]?.points[dataIndex];
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const row = part && pointAt(part.seriesIndex, part.dataIndex)?.row;
        if (row === undefined) return undefined;
        const lines = shown.map((column) => ({
          label: column.name,
          value: createFormatter(column, column === value ? format : undefined)(row[column.index]),
        }));
        return { title: label && writeLabel ? writeLabel(row[label.index]) : '', lines };
      },
    },
    option: {
      ...frameOption(theme),
      ...baseMap(map, map === 'world' ? around(points.map(({ at }) => at)) : undefined, theme, {
        hasColorScale: false,
      }),
      series: groups.map((group): ScatterSeriesOption => ({
        type: 'scatter',
        coordinateSystem: 'geo',
        animation: false,
        color: colorOf(group),
        itemStyle: { opacity: 0.75, borderColor: theme.surface, borderWidth: 1 },
        large: diameter === undefined,
        largeThreshold: maxSized,
        symbolSize:
          diameter === undefined ? minDiameterPx : (_, { dataIndex }) => diameter(group.points[dataIndex]),
        ...(group.name !== undefined && { name: group.name }),
        data: group.points.map(({ at }) => [...at]),
      })),
    },
    canZoom: true,
    ...(names.length > 0 && {
      legend: { items: names.map((name) => ({ name, color: colorAt(theme, indexes.get(name) ?? 0) })) },
    }),
    markAt: (seriesIndex, dataIndex) => {
      const row = pointAt(seriesIndex, dataIndex)?.row;
      return row && markOfRow(identity, value === undefined ? [] : [value], row);
    },
    notes:
      omitted === 0
        ? []
        : [
            t(
              '{omitted} of {count, plural, one {# row} other {# rows}} not shown: the coordinates are missing, or not on this map.',
              { omitted, count: result.rows.length },
            ),
          ],
  };
}

/** Returns the points by color: the largest groups, and all others together. */
function groupsOf(points: readonly MapPoint[], color: ResultColumn | undefined): readonly Group[] {
  if (color === undefined) return [{ name: undefined, points }];
  const write = createFormatter(color);
  const sorted = [...Map.groupBy(points, ({ row }) => write(row[color.index]))]
    .map(([name, of]): Group => ({ name, points: of }))
    .toSorted((a, b) => b.points.length - a.points.length);
  if (sorted.length <= maxGroups) return sorted;
  const rest = sorted.slice(maxGroups).flatMap((group) => group.points);
  return [...sorted.slice(0, maxGroups), { name: undefined, points: rest }];
}

/** Returns a function whose area is proportional to the value, between the smallest and the largest diameter. */
function diameterOf(
  points: readonly MapPoint[],
  { index }: ResultColumn,
): (point: MapPoint | undefined) => number {
  const sizeOf = ({ row }: MapPoint) => Math.max(toNumber(row[index]) ?? 0, 0);
  const largest = extentOf(points.map(sizeOf))?.max ?? 0;
  // Many large points would cover the map.
  const maxPx = Math.max(minLargestPx, Math.min(maxDiameterPx, 200 / Math.sqrt(points.length)));
  return (point) =>
    point === undefined || largest === 0
      ? minDiameterPx
      : Math.max(minDiameterPx, Math.sqrt(sizeOf(point) / largest) * maxPx);
}
