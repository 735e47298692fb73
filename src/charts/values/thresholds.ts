import type { Threshold } from '../drawing/chart.ts';

/** Returns the highest threshold that a value reaches; undefined if it is below all of them. */
export function reachedThreshold(
  thresholds: readonly Threshold[] | undefined,
  value: number | undefined,
): Threshold | undefined {
  if (thresholds === undefined || value === undefined) return undefined;
  let reached: Threshold | undefined;
  for (const threshold of thresholds) {
    if (threshold.from <= value && (reached === undefined || threshold.from >= reached.from))
      reached = threshold;
  }
  return reached;
}
