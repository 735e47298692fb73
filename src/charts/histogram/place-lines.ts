import type { PlacedLine } from '../cartesian/reference-lines.ts';
import type { Bins } from './bins.ts';

/** Returns a function that returns a line between the bars where its value is; undefined if all bars are on one side of it. */
export const placeInBins =
  (bins: Bins) =>
  (line: PlacedLine): PlacedLine | undefined => {
    const from = positionIn(bins, line.from);
    const to = line.to === undefined ? undefined : positionIn(bins, line.to);
    if (line.to === undefined) return typeof from === 'number' ? { ...line, from } : undefined;
    if (from === to && typeof from !== 'number') return undefined;
    const count = barCount(bins);
    return { ...line, from: typeof from === 'number' ? from : 0, to: typeof to === 'number' ? to : count };
  };

const barCount = ({ counts, below, above }: Bins): number =>
  counts.length + (below > 0 ? 1 : 0) + (above > 0 ? 1 : 0);

/** The position of a value on an axis on which each bar takes one. A value in an open bar is in its middle. */
function positionIn(bins: Bins, value: number): number | 'below' | 'above' {
  const { edges, counts, below, above } = bins;
  const shift = below > 0 ? 1 : 0;
  const [first = 0, last = 0] = [edges[0], edges.at(-1)];
  if (value < first) return below > 0 ? 0.5 : 'below';
  if (value > last) return above > 0 ? barCount(bins) - 0.5 : 'above';
  const bin = Math.min(
    Math.max(
      edges.findLastIndex((edge) => edge <= value),
      0,
    ),
    counts.length - 1,
  );
  const [start = 0, end = 0] = [edges[bin], edges[bin + 1]];
  const share = end > start ? value / (end - start) - start / (end - start) : 0.5;
  return shift + bin + (Number.isFinite(share) ? share : 0.5);
}
