import type { ChartSeries, Point } from './series-points.ts';

/**
 * Returns the series with a point at every position of any of them, as ECharts requires for stacking. Points of a series at
 * the same position are added up; with `percent`, each is its share of the total at its position.
 */
export function stackSeries(series: readonly ChartSeries[], mode: 'stacked' | 'percent'): ChartSeries[] {
  const positions = positionsOf(series);
  const added = series.map(({ points }) => {
    const byPosition = new Map<number, Point>();
    for (const point of points) {
      const { position, y } = point;
      const other = byPosition.get(position);
      byPosition.set(position, other ? { ...other, y: (other.y ?? 0) + (y ?? 0) } : point);
    }
    return byPosition;
  });
  const totalAt = (position: number): number =>
    added.reduce((sum, points) => sum + Math.abs(points.get(position)?.y ?? 0), 0);
  const totals = mode === 'percent' ? new Map(positions.map((at) => [at, totalAt(at)])) : undefined;
  return series.map((one, index) => ({
    ...one,
    points: positions.map((position): Point => {
      const point = added[index]?.get(position);
      const y = point?.y ?? 0;
      const total = totals?.get(position);
      return { position, y: total === undefined ? y : total === 0 ? 0 : y / total, row: point?.row };
    }),
  }));
}

/** Returns the series with a point at every position of any of them, with `missing` in place of missing values. */
export function fillSeries(series: readonly ChartSeries[], missing: 0 | null): ChartSeries[] {
  const positions = positionsOf(series);
  return series.map((one) => {
    const byPosition = Map.groupBy(one.points, ({ position }) => position);
    return {
      ...one,
      points: positions.flatMap(
        (position) =>
          byPosition.get(position)?.map((point) => ({ ...point, y: point.y ?? missing })) ?? [
            { position, y: missing, row: undefined },
          ],
      ),
    };
  });
}

const positionsOf = (series: readonly ChartSeries[]): number[] =>
  [...new Set(series.flatMap(({ points }) => points.map(({ position }) => position)))].toSorted(
    (a, b) => a - b,
  );
