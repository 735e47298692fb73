import type { ChartSeries, Point } from './series-points.ts';

/**
 * Returns the series with a point at every position of any of them, as ECharts requires for stacking. Points of a series at
 * the same position are added up; with `percent`, each is its share of the total at its position on its axis.
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
  const totals = mode === 'percent' ? totalsBySide(series, added) : undefined;
  return series.map((one, index) => ({
    ...one,
    points: positions.map((position): Point => {
      const point = added[index]?.get(position);
      const y = point?.y ?? 0;
      if (totals === undefined) return { position, y, row: point?.row };
      const total = totals[sideOf(one)].get(position) ?? 0;
      return { position, y: total === 0 ? 0 : y / total, row: point?.row };
    }),
  }));
}

const sideOf = ({ description }: ChartSeries): 'left' | 'right' => description.axis ?? 'left';

/** Returns the totals of the series of each axis by position; a negative value counts as much as a positive one. */
function totalsBySide(
  series: readonly ChartSeries[],
  added: readonly ReadonlyMap<number, Point>[],
): Readonly<Record<'left' | 'right', ReadonlyMap<number, number>>> {
  const totals = { left: new Map<number, number>(), right: new Map<number, number>() };
  for (const [index, one] of series.entries()) {
    const ofSide = totals[sideOf(one)];
    for (const { position, y } of added[index]?.values() ?? []) {
      ofSide.set(position, (ofSide.get(position) ?? 0) + Math.abs(y ?? 0));
    }
  }
  return totals;
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
