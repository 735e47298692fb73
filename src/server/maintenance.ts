import type { Clock } from './base/clock.ts';
import type { JobEnd, JobLease, JobLeases } from './storage/job-leases.ts';

/** A job that runs periodically. */
export interface MaintenanceJob {
  /** Identifies the job among the processes of the database, and names it in the log if it fails. */
  readonly name: string;
  /** Whether each process runs the job, since it concerns local files. Other jobs are run by one process at a time. */
  readonly isLocal?: boolean;
  /** How long after its end it runs again; by default, an hour. Only for jobs that are not local. */
  readonly everyMs?: number;
  /** What to do if it fails, if there is more to do than to look for the cause in the log. */
  readonly remedy?: string;
  /**
   * Ends soon after `stopped` is aborted; the next start, or another process, continues the job. Returns `againMs` if it has to
   * run again sooner than usual. Only for jobs that are not local.
   */
  run(stopped: AbortSignal): Promise<void | { readonly againMs: number | undefined }>;
}

/**
 * What is known about a job: since the start of this process if it is local, otherwise by all processes together as of
 * the last time that this one looked. Times are in milliseconds since 1970.
 */
export interface JobState {
  readonly name: string;
  readonly remedy: string | undefined;
  /** When it is to run next; while it runs, when it was to start. Undefined before the jobs are started. */
  readonly dueAt: number | undefined;
  /** Whether this process runs it. */
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
const startAfterMs = 10_000;

/**
 * Once started, runs each job when it is due: soon after the first start, and again some time after it ended, even if the
 * process that ran it doesn't run any more. Jobs are independent: none waits for another, none runs twice at once, and
 * one that fails is reported and does not affect the others.
 */
export function createMaintenance(
  jobs: readonly MaintenanceJob[],
  { clock, leases, firstAfterMs = startAfterMs }: { clock: Clock; leases: JobLeases; firstAfterMs?: number },
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
    timers.set(job, setTimeout(() => begin(job), afterMs).unref());
  }

  function begin(job: MaintenanceJob): void {
    const next = job.isLocal === true ? runLocal(job) : runIfDue(job);
    const done = next.then((afterMs) => schedule(job, afterMs)).finally(() => running.delete(done));
    running.add(done);
  }

  /** The functions that run a job return how long to wait until they are called again. */
  async function runLocal(job: MaintenanceJob): Promise<number> {
    const { durationMs, hasFailed } = await run(job, stopping.signal);
    const { failureCount } = states.get(job) ?? newState(job);
    note(job, {
      dueAt: clock() + leases.everyMs,
      lastDurationMs: durationMs,
      isFailing: hasFailed,
      ...(hasFailed ? { failureCount: failureCount + 1 } : { succeededAt: clock() }),
    });
    return leases.everyMs;
  }

  async function runIfDue(job: MaintenanceJob): Promise<number> {
    try {
      if ((await look(job)) === 0) {
        const lease = await leases.take(job.name, job.everyMs);
        if (lease !== undefined) await runHolding(job, lease);
      }
      return await look(job);
    } catch (error) {
      // The database can't be used. Its state is reported once.
      if (states.get(job)?.isFailing !== true) onFailure(job, error);
      note(job, { isFailing: true });
      return leases.leaseMs;
    }
  }

  async function look(job: MaintenanceJob): Promise<number> {
    const { waitMs, ...shared } = await leases.find(job.name, job.everyMs);
    note(job, shared);
    return waitMs;
  }

  async function runHolding(job: MaintenanceJob, lease: JobLease): Promise<void> {
    const lost = new AbortController();
    const stopRenewing = keepRenewing(lease, leases.leaseMs, lost);
    const stopped = AbortSignal.any([stopping.signal, lost.signal]);
    const end = await run(job, stopped);
    stopRenewing();
    await lease.release(stopped.aborted ? undefined : end);
  }

  async function run(job: MaintenanceJob, stopped: AbortSignal): Promise<JobEnd> {
    const beganAt = performance.now();
    note(job, { isRunning: true });
    let hasFailed = false;
    let againMs: number | undefined;
    try {
      againMs = (await job.run(stopped))?.againMs;
    } catch (error) {
      hasFailed = true;
      onFailure(job, error);
    }
    note(job, { isRunning: false });
    return { durationMs: performance.now() - beganAt, hasFailed, againMs };
  }

  return {
    start: () => {
      for (const job of jobs) {
        note(job, { dueAt: clock() + firstAfterMs });
        schedule(job, firstAfterMs);
      }
    },
    states: () => [...states.values()],
    stop: async () => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/**
 * Renews a lease periodically until the returned function is called. Aborts `lost` if the lease has ended, or if it
 * could not be renewed for so long that it may have.
 */
function keepRenewing(lease: JobLease, leaseMs: number, lost: AbortController): () => void {
  let renewedAt = performance.now();
  const timer = setInterval(() => {
    const beganAt = performance.now();
    if (beganAt - renewedAt > leaseMs) return lost.abort();
    lease.renew().then(
      (isHeld) => {
        if (isHeld) renewedAt = beganAt;
        else lost.abort();
      },
      // The next renewal may succeed.
      () => undefined,
    );
  }, leaseMs / 4).unref();
  return () => clearInterval(timer);
}

const newState = ({ name, remedy }: MaintenanceJob): JobState => ({
  name,
  remedy,
  dueAt: undefined,
  isRunning: false,
  succeededAt: undefined,
  lastDurationMs: undefined,
  failureCount: 0,
  isFailing: false,
});
