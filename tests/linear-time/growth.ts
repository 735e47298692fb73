import { threadCpuMs } from '../support/cpu-time.ts';

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
    if (durationMs > measurableMs) return repeatedGrowth(work, length, durationMs);
  }
  return undefined;
}

/**
 * Returns the growth up to a length. Garbage collection and compilation also take processor time of this thread, and can fall into
 * all rounds of one measurement. So a growth that is too high is measured again: what isn't linear stays too high each time.
 */
function repeatedGrowth(work: (length: number) => () => unknown, length: number, durationMs: number): number {
  const growthFrom = (longMs: number) => longMs / Math.max(bestTimeMs(work(length / 4)), 0.1);
  let growth = growthFrom(durationMs);
  for (let repeat = 0; repeat < 2 && growth >= maxGrowth; repeat += 1)
    growth = Math.min(growth, growthFrom(bestTimeMs(work(length))));
  return growth;
}

function bestTimeMs(run: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const startedMs = threadCpuMs();
    run();
    best = Math.min(best, threadCpuMs() - startedMs);
    // Work that is this quick or this slow needs no second measurement.
    if (best < measurableMs / 10 || best > 5 * measurableMs) break;
  }
  return best;
}

/** The maximum growth for four times the input, between that of linear work and that of quadratic work. */
export const maxGrowth = 9;
