import type { RangeAxis } from '#shared/explore/axes.ts';

/** Selected cells of a range, without the end. */
export interface CellRange {
  readonly from: number;
  readonly to: number;
}

/** What the pointer moves: an end of a range, the range as a whole, or the end of a new one. */
export type Drag =
  | { readonly kind: 'resize'; readonly fixed: number }
  | { readonly kind: 'move'; readonly range: CellRange; readonly start: number };

/** Returns what a press at a position, in cells, moves. `reach` is how far from an end it still moves that end. */
export function startDrag(range: CellRange | undefined, position: number, reach: number): Drag {
  if (range !== undefined) {
    const [fromStart, fromEnd] = [Math.abs(position - range.from), Math.abs(position - range.to)];
    if (Math.min(fromStart, fromEnd) <= reach)
      return { kind: 'resize', fixed: fromStart < fromEnd ? range.to : range.from };
    if (position > range.from && position < range.to) return { kind: 'move', range, start: position };
  }
  return { kind: 'resize', fixed: Math.round(position) };
}

/** Returns the range after a drag to a position; undefined if nothing is left of it. */
export function dragTo(drag: Drag, position: number, count: number): CellRange | undefined {
  if (drag.kind === 'resize') {
    const fixed = clamp(drag.fixed, 0, count);
    const moved = clamp(Math.round(position), 0, count);
    return fixed === moved ? undefined : { from: Math.min(fixed, moved), to: Math.max(fixed, moved) };
  }
  const { from, to } = drag.range;
  const by = clamp(Math.round(position - drag.start), -from, count - to);
  return { from: from + by, to: to + by };
}

/**
 * Returns the range after a key: an arrow moves an end by a cell, Page Up and Page Down by a bar, Home and End as far as
 * possible; with Shift, an arrow moves the whole range. Undefined if the key does nothing.
 */
export function moveByKey(
  { from, to }: CellRange,
  side: 'from' | 'to',
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { count, perBin }: Pick<RangeAxis, 'count' | 'perBin'>,
): CellRange | undefined {
  const step = steps[key]?.(perBin, count);
  if (step === undefined) return undefined;
  if (shiftKey) {
    const by = clamp(step, -from, count - to);
    return { from: from + by, to: to + by };
  }
  return side === 'from'
    ? { from: clamp(from + step, 0, to - 1), to }
    : { from, to: clamp(to + step, from + 1, count) };
}

const steps: Readonly<Record<string, ((perBin: number, count: number) => number) | undefined>> = {
  ArrowLeft: () => -1,
  ArrowDown: () => -1,
  ArrowRight: () => 1,
  ArrowUp: () => 1,
  PageDown: (perBin) => -perBin,
  PageUp: (perBin) => perBin,
  Home: (_, count) => -count,
  End: (_, count) => count,
};

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
