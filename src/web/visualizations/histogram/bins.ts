import { extentOf } from '../values/result-values.ts';

/** Bins of equal width from `start`, and the number of values in each. The last bin includes its end. */
export interface Bins {
  readonly start: number;
  readonly width: number;
  readonly counts: readonly number[];
}

const maxBins = 200;

/**
 * Returns values counted in bins of equal width: `count` bins from the smallest to the largest value, or if it is left out,
 * as many as suit the number of values (Sturges' formula), with round edges. Undefined if there are no values.
 */
export function binValues(values: readonly number[], count?: number): Bins | undefined {
  const extent = extentOf(values);
  if (extent === undefined) return undefined;
  const { min, max } = extent;
  if (min === max) return { start: min, width: 0, counts: [values.length] };
  const width =
    count === undefined ? roundWidth((max - min) / (Math.log2(values.length) + 1)) : (max - min) / count;
  const start = count === undefined ? Math.floor(min / width) * width : min;
  const length = count ?? Math.min(Math.max(Math.ceil((max - start) / width), 1), maxBins);
  const counts = Array.from({ length }, () => 0);
  for (const value of values) {
    const bin = Math.min(Math.floor((value - start) / width), length - 1);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { start, width, counts };
}

/** Returns the smallest of 1, 2, 2.5 and 5 times a power of ten that isn't below `width`. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return (roundFactors.find((factor) => factor * power >= width * (1 - 1e-9)) ?? 10) * power;
}

const roundFactors = [1, 2, 2.5, 5, 10];
