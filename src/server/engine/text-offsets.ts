/*
 * Engines tell places in the bytes or the code points of a text; here they are in characters of JavaScript, of which some
 * code points are two.
 */

export const offsetOfByte = (text: string, byteOffset: number): number =>
  Buffer.from(text).subarray(0, byteOffset).toString().length;

export const offsetOfCodePoint = (text: string, codePointOffset: number): number =>
  Array.from(text).slice(0, codePointOffset).join('').length;

/** A line and a column, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns what tells the place of an offset; the lines are looked for once, however many offsets there are. */
export function placesIn(text: string): (offset: number) => Place {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...text.matchAll(/\r\n|\n|\r/g).map(({ 0: end, index }) => index + end.length)];
    const line = firstBehind(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** Returns the index of the first number of a sorted list that is greater than `value`. */
function firstBehind(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
