import { hoursMs } from './base/clock.ts';

/** A job that runs periodically. */
export interface MaintenanceJob {
  /** Names the job in the log if it fails. */
  readonly name: string;
  /** Ends soon after `stopped` is aborted; the next start continues the job. */
  run(stopped: AbortSignal): Promise<void>;
}

export interface Maintenance {
  /** Starts no more jobs, and waits for running ones. */
  stop(): Promise<void>;
}

/** Late enough to not slow down the start and the first requests. */
const firstAfterMs = 10_000;
const againAfterMs = hoursMs(1);

/**
 * Runs each job soon after the start, and again an hour after it ended. Jobs are independent: none waits for another,
 * none runs twice at once, and one that fails is reported and does not affect the others.
 */
export function startMaintenance(
  jobs: readonly MaintenanceJob[],
  onFailure: (job: MaintenanceJob, error: unknown) => void,
): Maintenance {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const timers = new Map<MaintenanceJob, NodeJS.Timeout>();

  function schedule(job: MaintenanceJob, afterMs: number): void {
    if (stopping.signal.aborted) return;
    timers.set(job, setTimeout(() => begin(job), afterMs).unref());
  }

  function begin(job: MaintenanceJob): void {
    const done = run(job).finally(() => {
      running.delete(done);
      schedule(job, againAfterMs);
    });
    running.add(done);
  }

  async function run(job: MaintenanceJob): Promise<void> {
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
      await Promise.all(running);
    },
  };
}
