import { watchThreadCpuTime } from '../support/cpu-time.ts';

/** Below this time, growth can't be measured. */
const measurableMs = 20;
const lengths = [256, 1_024, 4_096, 32_768];

/**
 * Returns how much longer `work` takes for four times the input, once that takes long enough to be measured; 4 is linear and
 * 16 quadratic. Undefined when even the longest input is done too quickly to tell, as any linear scan is. Each time is the
 * best of several, on the clock of this thread, so that what else the machine does counts for little.
 */
export function growthOf(work: (length: number) => () => unknown): number | undefined {
  for (const length of lengths) {
    const lasted = bestTimeMs(work(length));
    if (lasted > measurableMs) return lasted / Math.max(bestTimeMs(work(length / 4)), 0.1);
  }
  return undefined;
}

function bestTimeMs(run: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const elapsedMs = watchThreadCpuTime();
    run();
    best = Math.min(best, elapsedMs());
    // Work that is quick, or takes this long, needs no second measurement.
    if (best < measurableMs / 10 || best > 5 * measurableMs) break;
  }
  return best;
}

/** Between what linear and what quadratic work needs for four times the input. */
export const mostGrowth = 9;
