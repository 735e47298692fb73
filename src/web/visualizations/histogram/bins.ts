/** Equal steps from `start`, and how many values are in each; the last has its end, too. */
export interface Bins {
  readonly start: number;
  readonly width: number;
  readonly counts: readonly number[];
}

const mostBins = 200;

/**
 * Returns values counted by steps of equal width: `count` steps from the least to the greatest; or, where it is left out,
 * by as many as fit the number of values (Sturges), with round edges. Undefined when there are no values.
 */
export function binValues(values: readonly number[], count?: number): Bins | undefined {
  if (values.length === 0) return undefined;
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min === max) return { start: min, width: 0, counts: [values.length] };
  const width =
    count === undefined ? roundStep((max - min) / (Math.log2(values.length) + 1)) : (max - min) / count;
  const start = count === undefined ? Math.floor(min / width) * width : min;
  const length = count ?? Math.min(Math.max(Math.ceil((max - start) / width), 1), mostBins);
  const counts = Array.from({ length }, () => 0);
  for (const value of values) {
    const bin = Math.min(Math.floor((value - start) / width), length - 1);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { start, width, counts };
}

/** Returns 1, 2, 2.5 or 5 times a power of ten: the least that is not below `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return (roundFactors.find((factor) => factor * power >= step * (1 - 1e-9)) ?? 10) * power;
}

const roundFactors = [1, 2, 2.5, 5, 10];
