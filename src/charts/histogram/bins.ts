/** How many values are between round edges: each bin starts at its edge and ends before the next one; the last includes its end. */
export interface Bins {
  /** In ascending order, one more than there are bins. Both are the same if all values are. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  /** How many values are below the first edge. */
  readonly below: number;
  /** How many values are above the last edge, or at it if there are any above. */
  readonly above: number;
}

/**
 * Returns values counted in bins of equal width with round edges: `count` of them, or if it is left out, as many as suit the
 * number of values (Sturges' formula). The edges leave out values that are far from the others, which would flatten the rest.
 * Undefined if there are no values.
 */
export function binValues(values: readonly number[], count?: number): Bins | undefined {
  const sorted = Float64Array.from(values).toSorted();
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const oneBin = { edges: [min, max], counts: [values.length], below: 0, above: 0 };
  if (min === max) return oneBin;
  const { low, high } = typicalRange(sorted, min, max);
  const isAllowed = values.every(Number.isInteger) ? Number.isInteger : () => true;
  const width =
    count === undefined
      ? roundWidths((high - low) / (Math.log2(values.length) + 1), automaticFactors).find(isAllowed)
      : roundWidths((high - low) / count, configuredFactors).find(
          (width) => isAllowed(width) && (firstEdge(low, width) + count) * width >= high,
        );
  if (width === undefined) return oneBin;
  const first = firstEdge(low, width);
  const last = count === undefined ? Math.ceil(high / width - tolerance) : first + count;
  // Values whose difference is close to the smallest number that there is have no edges between them.
  return last > first ? countBetween(edgesFrom(first, last, width, min, max), sorted) : oneBin;
}

/** Divisions of floating-point numbers are only exact to this share. */
const tolerance = 1e-9;

const firstEdge = (low: number, width: number): number => Math.floor(low / width + tolerance);

/** Returns the range of the values without those that are far from the others, in which at least 98% of them are. */
function typicalRange(
  sorted: Float64Array,
  min: number,
  max: number,
): { readonly low: number; readonly high: number } {
  const at = (share: number, round: (index: number) => number) =>
    sorted[round(share * (sorted.length - 1))] ?? min;
  const [quarter, threeQuarters] = [at(0.25, Math.floor), at(0.75, Math.ceil)];
  // Tukey's outer fences.
  const fence = 3 * (threeQuarters - quarter);
  const lowest = Math.min(at(0.01, Math.ceil), quarter - fence);
  const highest = Math.max(at(0.99, Math.floor), threeQuarters + fence);
  const low = sorted.find((value) => value >= lowest) ?? min;
  const high = sorted.findLast((value) => value <= highest) ?? max;
  return low < high ? { low, high } : { low: min, high: max };
}

/** Returns the edges between two multiples of the width. A value in the next bin extends them, since an open bin would be as wide. */
function edgesFrom(first: number, last: number, width: number, min: number, max: number): number[] {
  const edgeAt = (index: number) => Number((index * width).toPrecision(12));
  const from = min < edgeAt(first) && min >= edgeAt(first - 1) ? first - 1 : first;
  const to = max > edgeAt(last) && max <= edgeAt(last + 1) ? last + 1 : last;
  return Array.from({ length: to - from + 1 }, (_, index) => edgeAt(from + index));
}

function countBetween(edges: readonly number[], sorted: Float64Array): Bins {
  const [start = 0, end = 0] = [edges[0], edges.at(-1)];
  const isOpen = (sorted.at(-1) ?? end) > end;
  const counts = Array.from({ length: edges.length - 1 }, () => 0);
  let [below, above, bin] = [0, 0, 0];
  for (const value of sorted) {
    while (bin < counts.length - 1 && value >= (edges[bin + 1] ?? Infinity)) bin += 1;
    if (value < start) below += 1;
    else if (value > end || (isOpen && value === end)) above += 1;
    else counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { edges, counts, below, above };
}

/** Returns the index of the bin that has a value. */
export function binOf({ edges, counts, above }: Bins, value: number): number | 'below' | 'above' {
  const [start = 0, end = 0] = [edges[0], edges.at(-1)];
  if (value < start) return 'below';
  if (value > end || (above > 0 && value === end)) return 'above';
  const next = edges.findIndex((edge, index) => index > 0 && value < edge);
  return next === -1 ? counts.length - 1 : next - 1;
}

const automaticFactors = [1, 2, 2.5, 5];
const configuredFactors = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/** Returns round numbers in ascending order, from the first that isn't below `min`: a factor times a power of ten. */
function roundWidths(min: number, factors: readonly number[]): number[] {
  const exponent = Math.floor(Math.log10(min));
  return [0, 1, 2, 3]
    .flatMap((step) => factors.map((factor) => factor * 10 ** (exponent + step)))
    .filter((width) => width >= min * (1 - tolerance));
}
