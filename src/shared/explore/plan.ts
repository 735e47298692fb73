import type { ColumnType } from '../columns.ts';
import { indexOf, type RangeAxis } from './axes.ts';

/** The most cells of a range, which is about what a pointer can aim at in a chart. */
const maxCells = 240;
const wantedCells = 200;
const maxBins = 32;

/** Larger and smaller numbers leave no room for the arithmetic of doubles. */
const [smallestStep, largestEdge] = [1e-290, 1e300];

/** Returns the axis of a column of numbers between two finite ones, with edges that people would choose. */
export function numberAxis(
  column: string,
  range: { readonly min: number; readonly max: number; readonly isInteger: boolean },
): RangeAxis {
  const [min, max] = [Math.max(range.min, -largestEdge), Math.min(range.max, largestEdge)];
  // Where doubles are further apart than the cells, more cells would be empty.
  const apart = Math.max(Math.abs(min), Math.abs(max)) / 2 ** 50;
  const wanted = Math.max(max / wantedCells - min / wantedCells, apart, range.isInteger ? 1 : 0);
  const { digit, ...step } = niceStep(wanted > smallestStep ? wanted : 0.1);
  const axis = { kind: 'number', column, ...step } as const;
  return aligned(axis, indexOf(step, min), indexOf(step, max), binsOfDigit[digit]);
}

/** How many cells of 1, 2 or 5 a bar may have, so that its edges are such numbers, too. */
const binsOfDigit = { 1: [1, 2, 5, 10, 20], 2: [1, 5, 10, 25], 5: [1, 2, 4, 10, 20] } as const;

/** Returns 1, 2 or 5 times a power of ten that is at least `wanted`, as a fraction of whole numbers. */
function niceStep(wanted: number): Pick<RangeAxis, 'times' | 'per'> & { readonly digit: 1 | 2 | 5 } {
  const power = Math.floor(Math.log10(wanted));
  const found = ([1, 2, 5] as const).find((digit) => digit * 10 ** power >= wanted);
  const [digit, exponent] = found === undefined ? ([1, power + 1] as const) : ([found, power] as const);
  return exponent < 0
    ? { digit, times: digit, per: 10 ** -exponent }
    : { digit, times: digit * 10 ** exponent, per: 1 };
}

const day = 86_400;
/** Steps of a clock, in seconds. */
const clockSteps = [1, 5, 15, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200];
/** Up to about a year, single days can be selected. */
const maxDays = 400;
const maxMonths = 480;

/** Returns the axis of a column of days or times, between two local times in seconds since 1970. */
export function timeAxis(
  column: string,
  { min, max, type }: { readonly min: number; readonly max: number; readonly type: ColumnType },
): RangeAxis {
  const axis = { kind: 'time', column, per: 1 } as const;
  const cellsOf = (step: number): number => Math.floor(max / step) - Math.floor(min / step) + 1;
  const step = type === 'date' ? undefined : clockSteps.find((seconds) => cellsOf(seconds) <= maxCells);
  if (step !== undefined) {
    const nice = [...clockSteps, day, 2 * day].filter((bin) => bin % step === 0).map((bin) => bin / step);
    return aligned(
      { ...axis, unit: 'second', times: step },
      Math.floor(min / step),
      Math.floor(max / step),
      nice,
    );
  }
  if (cellsOf(day) <= maxDays) {
    const days = { ...axis, unit: 'second', times: day } as const;
    return aligned(days, Math.floor(min / day), Math.floor(max / day), [1, 7, 14, 28]);
  }
  const months = { ...axis, unit: 'month' } as const;
  const [low, high] = [monthOf(min), monthOf(max)];
  if (high - low < maxMonths) return aligned({ ...months, times: 1 }, low, high, [1, 3, 12, 24]);
  const years = Math.max(1, 10 ** Math.ceil(Math.log10((high - low + 1) / 12 / maxCells)));
  const width = years * 12;
  return aligned(
    { ...months, times: width },
    Math.floor(low / width),
    Math.floor(high / width),
    [1, 2, 5, 10],
  );
}

function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the axis with the fewest cells to a bar that makes few enough bars. Bars start at multiples of their width. */
function aligned(
  axis: Pick<RangeAxis, 'kind' | 'column' | 'unit' | 'times' | 'per'>,
  low: number,
  high: number,
  widths: readonly number[],
): RangeAxis {
  const span = high - low + 1;
  const perBin = widths.find((width) => span / width <= maxBins) ?? Math.max(...widths);
  const first = Math.floor(low / perBin) * perBin;
  const count = (Math.floor(high / perBin) + 1) * perBin - first;
  return { ...axis, first, count, perBin };
}

/** The share of the values that may be left out on both sides of a range that a few extreme values would stretch. */
const leftOutShare = 0.01;

/**
 * Returns the range of cells that has nearly all of the values, if it is less than a tenth of the axis: everything else would
 * be a single bar. `counts` are those of the cells of the axis, without the extra ones.
 */
export function denseRange(
  counts: readonly number[],
): { readonly from: number; readonly to: number } | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mayLeaveOut = (total * leftOutShare) / 2;
  let [from, to, below, above] = [0, counts.length - 1, 0, 0];
  while (from < to && below + (counts[from] ?? 0) <= mayLeaveOut) below += counts[from++] ?? 0;
  while (to > from && above + (counts[to] ?? 0) <= mayLeaveOut) above += counts[to--] ?? 0;
  return total > 0 && to - from + 1 <= counts.length / 10 ? { from, to } : undefined;
}
