import type { Drive } from './load/generator.ts';
import type { Target } from './server/process-usage.ts';

/** The dependencies of the parts of the benchmark. */
export interface Bench {
  readonly drive: Drive;
  readonly baseline: Target;
  /** How long one measurement lasts. */
  readonly seconds: number;
  /** How often each measurement is repeated. */
  readonly rounds: number;
  /** Whether this is a smoke test on little data, whose figures mean little. */
  readonly isQuick: boolean;
  /** The commit that hot operations are compared with. */
  readonly reference: string;
}

/** A value with a goal. */
export interface Goal {
  readonly what: string;
  readonly value: number;
  readonly unit: '' | 'KB' | 'MB' | 'ms';
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

/** One part of the benchmark, as it is printed and written to the JSON file. */
export interface Section {
  readonly title: string;
  /** The rows of its table, all with the same columns. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly goals: readonly Goal[];
  /** The measurements themselves. */
  readonly details: unknown;
}

export function isReached({ value, bound }: Goal): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** Returns the median of some values: of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
