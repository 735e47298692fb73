import type { ColumnType } from '../columns.ts';
import { isNumeric, isTemporal } from '../columns.ts';

/**
 * How a chart divides a range into cells of the same width. Cell `n` starts at `(first + n) * times / per`: one division, so
 * that the edges are the same numbers in the browser and in the source, and `0.3` is the third tenth.
 */
export interface RangeAxis {
  readonly kind: 'number' | 'time';
  readonly column: string;
  /** For a time: what the numbers count, since 1970 (seconds) or since the year 0 (months), on the clock of a time zone. */
  readonly unit?: 'second' | 'month';
  readonly times: number;
  readonly per: number;
  readonly first: number;
  readonly count: number;
  /** How many cells a bar of the chart has. It divides `first` and `count`. */
  readonly perBin: number;
}

/** The most frequent values of a column; each of them is a cell. */
export interface ValuesAxis {
  readonly kind: 'values';
  readonly column: string;
  readonly values: readonly (string | boolean)[];
}

export type Axis = RangeAxis | ValuesAxis;

/** The rows that are selected in a chart. A range includes its start and excludes its end. */
export type Selection =
  | { readonly kind: 'number'; readonly column: string; readonly from: number; readonly to: number }
  /** Local times such as `2026-01-31T00:00:00`, or days. */
  | { readonly kind: 'time'; readonly column: string; readonly from: string; readonly to: string }
  /** Null selects the rows without a value. */
  | {
      readonly kind: 'values';
      readonly column: string;
      readonly values: readonly (string | boolean | null)[];
    };

/** What kind of chart shows a column; undefined if only its nulls are counted. */
export function chartKindOf(type: ColumnType): Axis['kind'] | undefined {
  if (isNumeric(type)) return 'number';
  if (isTemporal(type)) return 'time';
  return type === 'text' || type === 'boolean' || type === 'uuid' ? 'values' : undefined;
}

/** The cells after those of a range: values below it, values above it with NaN, and nulls. */
const rangeExtras = 3;
/** The cells after those of the values: other values, and nulls. */
const valuesExtras = 2;

/** Returns how many cells an axis has, with the extra ones. */
export const cellCount = (axis: Axis): number =>
  axis.kind === 'values' ? axis.values.length + valuesExtras : axis.count + rangeExtras;

/** Returns where cell `index` of a range starts, as a number. */
export const edgeAt = ({ first, times, per }: RangeAxis, index: number): number =>
  ((first + index) * times) / per;

/** Returns the axis with a cell for each bar. */
export const binsOf = <A extends Axis>(axis: A): A =>
  axis.kind === 'values'
    ? axis
    : {
        ...axis,
        times: axis.times * axis.perBin,
        first: axis.first / axis.perBin,
        count: axis.count / axis.perBin,
        perBin: 1,
      };

/** Returns the cell of a number, or of a time in the unit of its axis. */
export function cellOf(axis: RangeAxis, value: number | null): number {
  const { count, first } = axis;
  if (value === null) return count + 2;
  if (value < edgeAt(axis, 0)) return count;
  if (!(value < edgeAt(axis, count))) return count + 1;
  return indexOf(axis, value) - first;
}

/** Returns how many steps a number is above zero, rounded down. */
export function indexOf({ times, per }: Pick<RangeAxis, 'times' | 'per'>, value: number): number {
  // Rounded to the nearest edge, and then compared with it: the division isn't exact.
  const nearest = Math.round((value * per) / times);
  return nearest - (value < (nearest * times) / per ? 1 : 0);
}

/** Returns the value of a selection at the start of a cell: a number, or a local time. */
export function selectedEdge(axis: RangeAxis, index: number): number | string {
  const edge = edgeAt(axis, index);
  return axis.kind === 'number' ? edge : timeText(axis, edge);
}

/** Returns a time on an axis as text: a day without a time of day if all edges are days. */
export function timeText({ unit, times }: RangeAxis, edge: number): string {
  if (unit === 'month') {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(edge / 12), edge - Math.floor(edge / 12) * 12, 1);
    return date.toISOString().slice(0, 10);
  }
  const text = new Date(edge * 1000).toISOString();
  return times % 86_400 === 0 ? text.slice(0, 10) : text.slice(0, 19);
}

/** Returns the cell that starts at the edge of a selection, or the nearest one. */
export function cellAtEdge(axis: RangeAxis, edge: number | string): number {
  const value = typeof edge === 'number' ? edge : timeNumber(axis, edge);
  const index = Math.round((value * axis.per) / axis.times) - axis.first;
  return Math.min(Math.max(index, 0), axis.count);
}

function timeNumber({ unit }: RangeAxis, text: string): number {
  const date = new Date(text.includes('T') ? `${text}Z` : `${text}T00:00:00Z`);
  return unit === 'month' ? date.getUTCFullYear() * 12 + date.getUTCMonth() : date.getTime() / 1000;
}
