/**
 * Starts measuring this process's processor time. Returns a function that returns it, in milliseconds of the machine that the limits
 * of the tests are meant for: a machine that is slower at this moment gets more time.
 */
export const watchCpuTime = (): (() => number) => watch(processCpuMs);

/** Like `watchCpuTime`, but only for this thread, without garbage collection and compilation on other threads. */
export const watchThreadCpuTime = (): (() => number) => watch(threadCpuMs);

/** Returns the processor time that this thread has used, in milliseconds of this machine. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The time that the sample takes on the machine that the limits are meant for. */
const sampleMs = 20;
const measureAgainAfterMs = 1_000;
let lastSlowness = 1;
let lastMeasuredAt = -Infinity;

function watch(now: () => number): () => number {
  const slownessBefore = slowness();
  const startedMs = now();
  return () => {
    const elapsedMs = now() - startedMs;
    return elapsedMs / Math.max(1, slownessBefore, slowness());
  };
}

/** Returns how many times longer a sample of work takes now than on the machine that the limits are meant for. */
export function slowness(): number {
  if (performance.now() - lastMeasuredAt < measureAgainAfterMs) return lastSlowness;
  let bestMs = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const startedMs = threadCpuMs();
    runSample();
    bestMs = Math.min(bestMs, threadCpuMs() - startedMs);
  }
  lastSlowness = bestMs / sampleMs;
  lastMeasuredAt = performance.now();
  return lastSlowness;
}

/** Texts, maps and memory: about what the measured work consists of. */
function runSample(): number {
  const counts = new Map<string, number>();
  for (let index = 0; index < 120_000; index += 1) {
    const word = `word ${(index * 7_919) % 5_000}`;
    counts.set(word, (counts.get(word) ?? 0) + word.length);
  }
  return [...counts.keys()].join(' ').split(/\s/).length;
}
