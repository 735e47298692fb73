/*
 * Engines report positions in bytes or code points. Here they are in UTF-16 code units, like the indexes of JavaScript
 * strings.
 */

export const offsetOfByte = (text: string, byteOffset: number): number =>
  Buffer.from(text).subarray(0, byteOffset).toString().length;

export const offsetOfCodePoint = (text: string, codePointOffset: number): number =>
  Array.from(text).slice(0, codePointOffset).join('').length;

/** A line and a column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns a function that returns the position of an offset. Line breaks are searched for only once. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...text.matchAll(/\r\n|\n|\r/g).map(({ 0: end, index }) => index + end.length)];
    const line = findFirstAbove(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** Returns the index of the first number of a sorted list that is greater than `value`. */
function findFirstAbove(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
