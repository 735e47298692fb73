/** Five numbers that describe how values are distributed, and those that are far from the others. */
export interface Box {
  readonly min: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly max: number;
  readonly outliers: readonly number[];
}

/**
 * Returns the box of values; undefined if there are none. Quartiles are interpolated linearly, as PERCENTILE_CONT in SQL and
 * QUARTILE.INC in spreadsheets do. With `tukey`, the ends are the last values within 1.5 times the height of the box, and the
 * values beyond are outliers; with `range`, they are the smallest and largest value.
 */
export function boxOf(values: readonly number[], whiskers: 'tukey' | 'range'): Box | undefined {
  const sorted = Float64Array.from(values).toSorted();
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const [lowerQuartile, median, upperQuartile] = [0.25, 0.5, 0.75].map((share) =>
    quantile(sorted, share),
  ) as [number, number, number];
  const box = { lowerQuartile, median, upperQuartile };
  if (whiskers === 'range') return { min, ...box, max, outliers: [] };
  const reach = 1.5 * (upperQuartile - lowerQuartile);
  const isWithin = (value: number) => value >= lowerQuartile - reach && value <= upperQuartile + reach;
  return {
    min: sorted.find(isWithin) ?? lowerQuartile,
    ...box,
    max: sorted.findLast(isWithin) ?? upperQuartile,
    outliers: [...sorted].filter((value) => !isWithin(value)),
  };
}

/** Returns the value below which a share of sorted values is, interpolated linearly. */
export function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  const part = position - Math.floor(position);
  // Not the difference, which is infinite for huge numbers of different signs.
  return below === above ? below : below * (1 - part) + above * part;
}
