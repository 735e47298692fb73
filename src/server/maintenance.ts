import { hoursMs, type Clock } from './base/clock.ts';

/** A job that runs periodically. */
export interface MaintenanceJob {
  /** Names the job in the log if it fails. */
  readonly name: string;
  /** Ends soon after `stopped` is aborted; the next start continues the job. */
  run(stopped: AbortSignal): Promise<void>;
}

/** What is known about a job since the start of this process. Times are in milliseconds since 1970. */
export interface JobState {
  readonly name: string;
  /** When it is to run next; while it runs, when it was to start. Undefined before the jobs are started. */
  readonly dueAt: number | undefined;
  readonly isRunning: boolean;
  readonly succeededAt: number | undefined;
  readonly lastDurationMs: number | undefined;
  readonly failureCount: number;
  /** Whether its last run failed. */
  readonly isFailing: boolean;
}

export interface Maintenance {
  /** Schedules the first run of each job. */
  start(): void;
  states(): readonly JobState[];
  /** Starts no more jobs, and waits for running ones. */
  stop(): Promise<void>;
}

/** Late enough to not slow down the start and the first requests. */
const firstAfterMs = 10_000;
const againAfterMs = hoursMs(1);

/**
 * Once started, runs each job soon after the start, and again an hour after it ended. Jobs are independent: none waits for another,
 * none runs twice at once, and one that fails is reported and does not affect the others.
 */
export function createMaintenance(
  jobs: readonly MaintenanceJob[],
  clock: Clock,
  onFailure: (job: MaintenanceJob, error: unknown) => void,
): Maintenance {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const timers = new Map<MaintenanceJob, NodeJS.Timeout>();
  const states = new Map<MaintenanceJob, JobState>(jobs.map((job) => [job, newState(job)]));

  function note(job: MaintenanceJob, change: Partial<JobState>): void {
    states.set(job, { ...(states.get(job) ?? newState(job)), ...change });
  }

  function schedule(job: MaintenanceJob, afterMs: number): void {
    if (stopping.signal.aborted) return;
    note(job, { dueAt: clock() + afterMs });
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
    const beganAt = performance.now();
    note(job, { isRunning: true });
    try {
      await job.run(stopping.signal);
      note(job, { succeededAt: clock(), isFailing: false });
    } catch (error) {
      note(job, { failureCount: (states.get(job)?.failureCount ?? 0) + 1, isFailing: true });
      onFailure(job, error);
    } finally {
      note(job, { isRunning: false, lastDurationMs: performance.now() - beganAt });
    }
  }

  return {
    start: () => {
      for (const job of jobs) schedule(job, firstAfterMs);
    },
    states: () => [...states.values()],
    stop: async () => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

const newState = ({ name }: MaintenanceJob): JobState => ({
  name,
  dueAt: undefined,
  isRunning: false,
  succeededAt: undefined,
  lastDurationMs: undefined,
  failureCount: 0,
  isFailing: false,
});
