import type { SeriesOption } from 'echarts';
import type { Mark } from '../marks/mark.ts';
import type { Chart } from './chart.ts';

/** A point, bar, slice or cell of a chart. */
export interface ChartPart {
  readonly seriesIndex: number;
  readonly dataIndex: number;
  readonly mark: Mark;
}

export const seriesOf = ({ option }: Pick<Chart, 'option'>): readonly SeriesOption[] =>
  [option.series ?? []].flat();

/** Returns the data of a series; empty if it has none. */
export const dataOf = ({ data }: SeriesOption): readonly unknown[] =>
  Array.isArray(data) ? (data as unknown[]) : [];

/** Returns the parts of a chart that stand for rows, in the order of its series. */
export const partsOf = (chart: Chart): ChartPart[] =>
  seriesOf(chart).flatMap((series, seriesIndex) =>
    (chart.indexesOf?.(seriesIndex) ?? [...dataOf(series).keys()]).flatMap((dataIndex) => {
      const mark = chart.markAt(seriesIndex, dataIndex);
      return mark === undefined ? [] : [{ seriesIndex, dataIndex, mark }];
    }),
  );

/** Returns the two numbers that place a point of a series; undefined if it has no value. */
export function pairOf(point: unknown): readonly [number, number] | undefined {
  const value = typeof point === 'object' && point !== null && 'value' in point ? point.value : point;
  if (!Array.isArray(value)) return undefined;
  const [x, y] = value as unknown[];
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : undefined;
}

/** How far from a point of a line a click may be. */
const maxDistancePx = 40;

/**
 * Returns the part of a line or area chart that is closest to a click: people click on a line between its points, which
 * ECharts doesn't report. First the closest time or category counts, then the closest line.
 */
export function findNearest(
  chart: Chart,
  isHidden: (name: string) => boolean,
  toPixel: (seriesIndex: number, point: readonly [number, number]) => readonly number[] | undefined,
  clicked: { readonly x: number; readonly y: number },
): ChartPart | undefined {
  const stacked = new Map<string, number>();
  let nearest: { readonly part: ChartPart; readonly distance: readonly [number, number] } | undefined;
  for (const [seriesIndex, series] of seriesOf(chart).entries()) {
    if (series.type !== 'line' || isHidden(String(series.name))) continue;
    for (const [dataIndex, data] of dataOf(series).entries()) {
      const pair = pairOf(data);
      const mark = chart.markAt(seriesIndex, dataIndex);
      if (pair === undefined || mark === undefined) continue;
      const [x, y] = pair;
      const below = `${String(series.stack)} ${x}`;
      const top = series.stack === undefined ? y : y + (stacked.get(below) ?? 0);
      stacked.set(below, top);
      const [pixelX = Infinity, pixelY = Infinity] = toPixel(seriesIndex, [x, top]) ?? [];
      const distance = [Math.abs(pixelX - clicked.x), Math.abs(pixelY - clicked.y)] as const;
      if (distance[0] > maxDistancePx || distance[1] > maxDistancePx) continue;
      const isCloser =
        nearest === undefined ||
        distance[0] < nearest.distance[0] ||
        (distance[0] === nearest.distance[0] && distance[1] < nearest.distance[1]);
      if (isCloser) nearest = { part: { seriesIndex, dataIndex, mark }, distance };
    }
  }
  return nearest?.part;
}
