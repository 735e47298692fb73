import { extentOf } from './result-values.ts';

/** More points than this can't be told apart in a small line. */
const maxPoints = 120;

/**
 * Returns the path of a small line through values at equal distances, for the attribute `d` of an SVG path. Missing values
 * are gaps. Of many values, the smallest and the largest of each part are shown, so that no peak is lost. Empty if there is no
 * value.
 */
export function sparklinePath(
  values: readonly (number | undefined)[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const extent = extentOf(values);
  if (extent === undefined) return '';
  // Halves, since the difference of huge numbers is infinite.
  const span = extent.max / 2 - extent.min / 2;
  const yOf = (value: number) =>
    span === 0 ? height / 2 : height - ((value / 2 - extent.min / 2) / span) * height;
  const xOf = (index: number) => (values.length === 1 ? width / 2 : (index / (values.length - 1)) * width);
  let path = '';
  let isOpen = false;
  for (const index of shownIndexes(values)) {
    const value = values[index];
    if (value === undefined) {
      isOpen = false;
      continue;
    }
    path += `${isOpen ? 'L' : 'M'}${round(xOf(index))} ${round(yOf(value))}`;
    // A point without neighbors is a dot, as the ends of lines are round.
    if (!isOpen && values[index + 1] === undefined) path += 'h0';
    isOpen = true;
  }
  return path;
}

const round = (position: number): number => Math.round(position * 10) / 10;

/** Returns all indexes, or those of the smallest and largest value of each part. */
function shownIndexes(values: readonly (number | undefined)[]): readonly number[] {
  if (values.length <= maxPoints) return [...values.keys()];
  const size = values.length / (maxPoints / 2);
  const shown = new Set([0]);
  for (let part = 0; part < maxPoints / 2; part += 1) {
    let least: number | undefined;
    let most: number | undefined;
    for (let index = Math.floor(part * size); index < Math.floor((part + 1) * size); index += 1) {
      const value = values[index];
      if (value === undefined) continue;
      if (least === undefined || value < (values[least] ?? value)) least = index;
      if (most === undefined || value > (values[most] ?? value)) most = index;
    }
    for (const index of [least, most]) if (index !== undefined) shown.add(index);
  }
  shown.add(values.length - 1);
  return [...shown].toSorted((a, b) => a - b);
}
