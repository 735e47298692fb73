import { extentOf, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';

/** Where the bar of a cell starts and how wide it is, as shares of the cell. */
export interface CellBar {
  readonly start: number;
  readonly width: number;
}

/**
 * Returns a function that returns the bar of a number in a column: from zero, on a scale that has all values and zero.
 * Undefined for a value that is no number.
 */
export function cellBars(
  column: Pick<ResultColumn, 'index'>,
  rows: ResultRows['rows'],
): (value: unknown) => CellBar | undefined {
  const extent = extentOf(rows.map((row) => toNumber(row[column.index])));
  const [low, high] = [Math.min(extent?.min ?? 0, 0), Math.max(extent?.max ?? 0, 0)];
  // Halves, since the difference of huge numbers is infinite.
  const span = high / 2 - low / 2;
  return (value) => {
    const number = toNumber(value);
    if (number === undefined || span === 0) return undefined;
    const zero = -low / 2 / span;
    const size = Math.abs(number) / 2 / span;
    return { start: number < 0 ? zero - size : zero, width: size };
  };
}

/** Returns the numbers of a list, which some sources return as text; undefined if it isn't one. Items that are no numbers are missing. */
export function listedNumbers(value: unknown): readonly (number | undefined)[] | undefined {
  const list = typeof value === 'string' && value.startsWith('[') ? parsed(value) : value;
  return Array.isArray(list) ? list.map((item: unknown) => toNumber(item)) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
