import { QueryFailure } from './query-failure.ts';
import type { QueryLimits } from './query-limits.ts';
import type { QueryWorker } from './query-worker.ts';
import type { WorkerSource } from './source-description.ts';

/** Whom a worker works for. */
export interface Seat {
  readonly organizationId: string;
  /** One word for a source and all that its description says. */
  readonly sourceKey: string;
  readonly source: WorkerSource;
}

export interface QueryPool {
  /** Runs `job` on a worker of the seat as soon as it is its turn. The worker is free when it settles. */
  lend<Result>(
    seat: Seat,
    signal: AbortSignal | undefined,
    job: (worker: QueryWorker) => Promise<Result>,
  ): Promise<Result>;
  /** Process ids by organization, of workers at work and of those kept. */
  workers(): readonly {
    readonly organizationId: string;
    /** Undefined while it starts. */
    readonly processId: number | undefined;
    readonly isBusy: boolean;
  }[];
  /** How many queries wait for their turn. */
  waiting(): number;
  close(): Promise<void>;
}

interface Member {
  readonly seat: Seat;
  readonly worker: QueryWorker;
  isBusy: boolean;
  /** Its query has run for so long that others of the source need not wait for it. */
  isSlow: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

const stopping = (): QueryFailure => new QueryFailure('cancelled', 'The server is stopping. Try again.');

interface Waiting {
  readonly seat: Seat;
  begin(): void;
  give(failure: QueryFailure): void;
}

/**
 * Hands out workers. A worker serves one source of one organization for its whole life, so that nothing goes from one
 * to the other; it is kept for a while for the next query. Organizations with queries that wait take turns, and none
 * holds more workers than it leaves free: whoever comes next finds one.
 */
export function createQueryPool(limits: QueryLimits, start: (seat: Seat) => QueryWorker): QueryPool {
  const members = new Set<Member>();
  /** In the order in which the organizations take turns. */
  const queues = new Map<string, Waiting[]>();
  let isClosed = false;

  async function lend<Result>(
    seat: Seat,
    signal: AbortSignal | undefined,
    job: (worker: QueryWorker) => Promise<Result>,
  ): Promise<Result> {
    const member = await takeTurn(seat, signal);
    const slowTimer = setTimeout(() => {
      member.isSlow = true;
      serveQueues();
    }, limits.slowAfterMs);
    try {
      return await job(member.worker);
    } finally {
      clearTimeout(slowTimer);
      giveBack(member);
    }
  }

  function takeTurn(seat: Seat, signal: AbortSignal | undefined): Promise<Member> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(stopping());
      if (signal?.aborted === true) return reject(new QueryFailure('cancelled', 'The query was stopped.'));
      const queue = queues.get(seat.organizationId) ?? [];
      if (queue.length >= limits.maxWaitingOfOrganization) {
        return reject(new QueryFailure('busy', 'Too many queries of the organization wait already.'));
      }
      const leave = (): void => waiting.give(new QueryFailure('cancelled', 'The query was stopped.'));
      function forget(): void {
        signal?.removeEventListener('abort', leave);
        remove(waiting);
      }
      const waiting: Waiting = {
        seat,
        begin: () => {
          forget();
          try {
            resolve(occupy(seat));
          } catch (cause) {
            reject(new QueryFailure('worker_lost', 'No process could be started for the query.', { cause }));
          }
        },
        give: (failure) => {
          forget();
          reject(failure);
        },
      };
      queue.push(waiting);
      queues.set(seat.organizationId, queue);
      signal?.addEventListener('abort', leave, { once: true });
      serveQueues();
    });
  }

  function remove(waiting: Waiting): void {
    const { organizationId } = waiting.seat;
    const left = (queues.get(organizationId) ?? []).filter((other) => other !== waiting);
    if (left.length === 0) queues.delete(organizationId);
    else queues.set(organizationId, left);
  }

  /** Lets each organization begin one query in turn, until none may any more. */
  function serveQueues(): void {
    for (let hasBegun = true; hasBegun;) {
      hasBegun = false;
      for (const [organizationId, queue] of Array.from(queues)) {
        const next = queue.find(({ seat }) => mayBegin(seat));
        if (next === undefined) continue;
        next.begin();
        hasBegun = true;
        // Behind the others.
        const left = queues.get(organizationId);
        if (left === undefined) continue;
        queues.delete(organizationId);
        queues.set(organizationId, left);
      }
    }
  }

  function mayBegin(seat: Seat): boolean {
    const busy = [...members].filter((member) => member.isBusy);
    const ofOrganization = busy.filter((member) => member.seat.organizationId === seat.organizationId);
    const ofSource = ofOrganization.filter((member) => member.seat.sourceKey === seat.sourceKey);
    return (
      ofOrganization.length < limits.maxWorkersOfOrganization &&
      ofOrganization.length < limits.maxWorkers - busy.length &&
      ofSource.length < limits.maxWorkersOfSource &&
      (seat.source.kind !== 'files' ||
        ofSource.filter(({ isSlow }) => !isSlow).length < limits.maxQuickWorkersOfFiles)
    );
  }

  function occupy(seat: Seat): Member {
    const idle = [...members].filter((member) => !member.isBusy);
    const kept = idle.find(
      (member) =>
        member.seat.sourceKey === seat.sourceKey && member.seat.organizationId === seat.organizationId,
    );
    if (kept !== undefined) {
      clearTimeout(kept.idleTimer);
      kept.isBusy = true;
      return kept;
    }
    // The one that has waited longest makes room.
    if (members.size >= limits.maxWorkers && idle[0] !== undefined) dismiss(idle[0]);
    const member: Member = { seat, worker: start(seat), isBusy: true, isSlow: false, idleTimer: undefined };
    members.add(member);
    void member.worker.ended.then(() => dismiss(member));
    return member;
  }

  function giveBack(member: Member): void {
    member.isBusy = false;
    member.isSlow = false;
    if (isClosed || !member.worker.isUsable()) {
      dismiss(member);
    } else if (members.delete(member)) {
      // To the end of the line of the idle.
      members.add(member);
      member.idleTimer = setTimeout(() => dismiss(member), limits.idleMs).unref();
    }
    serveQueues();
  }

  function dismiss(member: Member, failure?: QueryFailure): void {
    clearTimeout(member.idleTimer);
    members.delete(member);
    member.worker.end(failure);
  }

  return {
    lend,
    workers: () =>
      [...members].map(({ seat, worker, isBusy }) => ({
        organizationId: seat.organizationId,
        processId: worker.processId(),
        isBusy,
      })),
    waiting: () => [...queues.values()].flat().length,
    close: async () => {
      isClosed = true;
      for (const waiting of [...queues.values()].flat()) waiting.give(stopping());
      const ending = [...members].map((member) => member.worker.ended);
      for (const member of members) dismiss(member, stopping());
      await Promise.all(ending);
    },
  };
}
