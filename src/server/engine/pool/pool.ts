import { findFileProblem } from '../../base/file-errors.ts';
import { QueryFailure, queryStopped } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import { createTurns, type RunningQuery, type WorkerKey, type WaitingQuery } from './turns.ts';
import type { QueryWorker } from './worker.ts';

/** The people who wait for a query, and the signal that ends the wait. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** The ids of the people who wait for the result; may change while it is pending. None for a job of the server. */
  readonly requesterIds?: readonly string[] | undefined;
  /** The id of the saved report whose query it is, for the log. */
  readonly reportId?: string | undefined;
}

export interface QueryPool {
  /** Calls `use` with a worker of the key as soon as it is its turn. The worker is free again when `use` settles. */
  withWorker<Result>(
    workerKey: WorkerKey,
    options: WaitOptions,
    use: (worker: QueryWorker) => Promise<Result>,
  ): Promise<Result>;
  /** Decides again whose turn it is, after more people have started to wait for a query. */
  reconsider(): void;
  /** Lists the workers, busy and idle. */
  workers(): readonly {
    readonly organizationId: string;
    /** The worker's own directory, where intermediate results are that don't fit into memory. */
    readonly directory: string;
    /** Undefined while the process starts. */
    readonly processId: number | undefined;
    readonly isBusy: boolean;
  }[];
  /** Returns the number of queries that wait for their turn. */
  waiting(): number;
  close(): Promise<void>;
}

interface Member {
  readonly workerKey: WorkerKey;
  readonly worker: QueryWorker;
  isBusy: boolean;
  /** Whether its query has run for so long that other queries of the source don't wait for it. */
  isSlow: boolean;
  /** The id of the person whose turn it used, while it is busy. */
  person: string | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

const stopping = (): QueryFailure => new QueryFailure('cancelled', 'The server is stopping. Try again.');

interface Waiting extends WaitingQuery {
  start(person: string | undefined): void;
  fail(failure: QueryFailure): void;
}

/**
 * Assigns workers to queries. A worker is bound to one source of one organization, so that nothing leaks from one to another;
 * when it is idle, it waits a while for the next query. `createTurns` decides which query starts next.
 */
export function createQueryPool(
  limits: QueryLimits,
  startWorker: (workerKey: WorkerKey) => QueryWorker,
): QueryPool {
  const members = new Set<Member>();
  const queue = new Set<Waiting>();
  const turns = createTurns(limits);
  let isClosed = false;

  async function withWorker<Result>(
    workerKey: WorkerKey,
    options: WaitOptions,
    use: (worker: QueryWorker) => Promise<Result>,
  ): Promise<Result> {
    const member = await takeTurn(workerKey, options);
    const slowTimer = setTimeout(() => {
      member.isSlow = true;
      turns.noteSlow(member);
      serveQueue();
    }, limits.slowAfterMs);
    try {
      return await use(member.worker);
    } finally {
      clearTimeout(slowTimer);
      release(member);
    }
  }

  function takeTurn(workerKey: WorkerKey, { signal, requesterIds = [] }: WaitOptions): Promise<Member> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(stopping());
      if (signal?.aborted === true) return reject(queryStopped());
      const fault = findFullQueue(workerKey, requesterIds);
      if (fault !== undefined) return reject(new QueryFailure('busy', fault));
      const leave = (): void => waiting.fail(queryStopped());
      function forget(): void {
        signal?.removeEventListener('abort', leave);
        queue.delete(waiting);
      }
      const waiting: Waiting = {
        workerKey,
        requesterIds,
        start: (person) => {
          forget();
          try {
            resolve(occupy(workerKey, person));
          } catch (cause) {
            // A disk without space or rights is not the fault of the query, and its cause is logged.
            const ofFile = findFileProblem(cause);
            reject(
              ofFile ??
                new QueryFailure('worker_lost', 'The server could not start a process for the query.', {
                  cause,
                }),
            );
          }
        },
        fail: (failure) => {
          forget();
          reject(failure);
        },
      };
      queue.add(waiting);
      signal?.addEventListener('abort', leave, { once: true });
      serveQueue();
    });
  }

  /** Returns why the queue accepts no more queries from these, or undefined if it does. */
  function findFullQueue({ organizationId }: WorkerKey, [person]: readonly string[]): string | undefined {
    const waiting = [...queue];
    const ofOrganization = waiting.filter(({ workerKey }) => workerKey.organizationId === organizationId);
    if (ofOrganization.length >= limits.maxWaitingPerOrganization)
      return 'Too many queries of this organization are already waiting. Try again in a moment.';
    const ofPerson =
      person === undefined ? [] : waiting.filter(({ requesterIds }) => requesterIds.includes(person));
    if (ofPerson.length >= limits.maxWaitingPerPerson)
      return 'Too many of your queries are already waiting. Try again in a moment.';
    return undefined;
  }

  /** Starts queries until no more may start. */
  function serveQueue(): void {
    for (let turn = nextTurn(); turn !== undefined; turn = nextTurn()) turn.waiting.start(turn.person);
  }

  const nextTurn = () => (queue.size === 0 ? undefined : turns.next(queue, runningQueries()));

  const runningQueries = (): RunningQuery[] => [...members].filter((member) => member.isBusy);

  function occupy(workerKey: WorkerKey, person: string | undefined): Member {
    const idle = [...members].filter((member) => !member.isBusy);
    const reusable = idle.find(
      (member) =>
        member.workerKey.sourceKey === workerKey.sourceKey &&
        member.workerKey.organizationId === workerKey.organizationId,
    );
    if (reusable !== undefined) {
      clearTimeout(reusable.idleTimer);
      reusable.isBusy = true;
      reusable.person = person;
      return reusable;
    }
    // The worker that was idle for longest is replaced.
    if (members.size >= limits.maxWorkers && idle[0] !== undefined) dismiss(idle[0]);
    const worker = startWorker(workerKey);
    const member: Member = { workerKey, worker, person, isBusy: true, isSlow: false, idleTimer: undefined };
    members.add(member);
    void member.worker.ended.then(() => dismiss(member));
    return member;
  }

  function release(member: Member): void {
    member.isBusy = false;
    member.isSlow = false;
    member.person = undefined;
    if (isClosed || !member.worker.isUsable()) {
      dismiss(member);
    } else if (members.delete(member)) {
      // Adds it again as the last, so that the first idle worker is the one that was idle for longest.
      members.add(member);
      member.idleTimer = setTimeout(() => dismiss(member), limits.idleMs).unref();
    }
    serveQueue();
  }

  function dismiss(member: Member, failure?: QueryFailure): void {
    clearTimeout(member.idleTimer);
    members.delete(member);
    member.worker.end(failure);
  }

  return {
    withWorker,
    reconsider: serveQueue,
    workers: () =>
      [...members].map(({ workerKey, worker, isBusy }) => ({
        organizationId: workerKey.organizationId,
        directory: worker.directory,
        processId: worker.processId(),
        isBusy,
      })),
    waiting: () => queue.size,
    close: async () => {
      isClosed = true;
      for (const waiting of Array.from(queue)) waiting.fail(stopping());
      const ending = [...members].map((member) => member.worker.ended);
      for (const member of members) dismiss(member, stopping());
      await Promise.all(ending);
    },
  };
}
