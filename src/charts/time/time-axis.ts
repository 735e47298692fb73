import type { SeriesOption } from 'echarts';
import type { Chart, TimeAxis } from '../drawing/chart.ts';
import { dataOf, seriesOf } from '../drawing/parts.ts';

/** Returns the position of a point on the axis of times; undefined if it has none. */
export function positionOf(point: unknown, { name }: TimeAxis): number | undefined {
  const value = typeof point === 'object' && point !== null && 'value' in point ? point.value : point;
  if (!Array.isArray(value)) return undefined;
  const position: unknown = value[name === 'xAxis' ? 0 : 1];
  return typeof position === 'number' ? position : undefined;
}

/** Returns the positions of all points, each once, in their order. */
export function positionsOf(chart: Chart, axis: TimeAxis): number[] {
  const positions = new Set<number>();
  for (const series of seriesOf(chart)) {
    for (const point of dataOf(series)) {
      const position = positionOf(point, axis);
      if (position !== undefined) positions.add(position);
    }
  }
  return [...positions].toSorted((a, b) => a - b);
}

/** Returns the index of the position that is closest to another; -1 if there are none. */
export function closestTo(positions: readonly number[], wanted: number): number {
  let [low, high] = [0, positions.length - 1];
  if (high === -1) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) <= wanted) low = middle;
    else high = middle;
  }
  const [below = 0, above = 0] = [positions[low], positions[high]];
  return Math.abs(below - wanted) <= Math.abs(above - wanted) ? low : high;
}

/** Adds a series after those of a chart, so that the indexes of its parts stay. */
export const withSeries = (chart: Chart, added: SeriesOption): Chart => ({
  ...chart,
  option: { ...chart.option, series: [...seriesOf(chart), added] },
});
