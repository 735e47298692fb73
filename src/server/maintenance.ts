import { hoursMs } from './base/clock.ts';

/** Something that is to be done again and again, without anybody who asks for it. */
export interface TidyingJob {
  /** Says in the log what failed. */
  readonly name: string;
  /** Ends soon once `stopped` is aborted: what is left is for the next start. */
  run(stopped: AbortSignal): Promise<void>;
}

export interface Tidying {
  /** Begins no more jobs, and waits for those under way. */
  stop(): Promise<void>;
}

/** Late enough to leave the start and the first requests alone. */
const firstAfterMs = 10_000;
const againAfterMs = hoursMs(1);

/**
 * Runs each job soon after the start, and again an hour after it has ended. Each goes by itself: none waits for
 * another, none overlaps with itself, and one that fails or hangs is told of, and spoils no other.
 */
export function startTidying(
  jobs: readonly TidyingJob[],
  onFailure: (job: TidyingJob, error: unknown) => void,
): Tidying {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const timers = new Map<TidyingJob, NodeJS.Timeout>();

  function schedule(job: TidyingJob, afterMs: number): void {
    if (stopping.signal.aborted) return;
    timers.set(job, setTimeout(() => begin(job), afterMs).unref());
  }

  function begin(job: TidyingJob): void {
    const running = run(job).finally(() => {
      underWay.delete(running);
      schedule(job, againAfterMs);
    });
    underWay.add(running);
  }

  async function run(job: TidyingJob): Promise<void> {
    try {
      await job.run(stopping.signal);
    } catch (error) {
      onFailure(job, error);
    }
  }

  for (const job of jobs) schedule(job, firstAfterMs);
  return {
    stop: async () => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
