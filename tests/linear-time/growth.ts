import { watchThreadCpuTime } from '../support/cpu-time.ts';

/** Below this time, growth can't be measured. */
const measurableMs = 20;
const lengths = [256, 1_024, 4_096, 32_768];

/**
 * Returns how many times longer `work` takes for four times the input, once that takes long enough to be measured: 4 is linear
 * and 16 quadratic. Undefined if even the longest input is too quick to measure, as any linear scan is. Each time is the best
 * of several and measures only this thread's processor time, so that other work on the machine matters little.
 */
export function growthOf(work: (length: number) => () => unknown): number | undefined {
  for (const length of lengths) {
    const durationMs = bestTimeMs(work(length));
    if (durationMs > measurableMs) return durationMs / Math.max(bestTimeMs(work(length / 4)), 0.1);
  }
  return undefined;
}

function bestTimeMs(run: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const elapsedMs = watchThreadCpuTime();
    run();
    best = Math.min(best, elapsedMs());
    // Work that is this quick or this slow needs no second measurement.
    if (best < measurableMs / 10 || best > 5 * measurableMs) break;
  }
  return best;
}

/** The maximum growth for four times the input, between that of linear work and that of quadratic work. */
export const maxGrowth = 9;
