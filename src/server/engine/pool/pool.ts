import { QueryFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import { createTurns, type RunningQuery, type Seat, type WaitingQuery } from './turns.ts';
import type { QueryWorker } from './worker.ts';

/** Who waits for a query, and for how long. */
export interface LendOptions {
  readonly signal?: AbortSignal | undefined;
  /** The ids of the people who wait for the result, who may come and go; none for a job of the server. */
  readonly askers?: readonly string[] | undefined;
}

export interface QueryPool {
  /** Runs `job` on a worker of the seat as soon as it is its turn. The worker is free when it settles. */
  lend<Result>(
    seat: Seat,
    options: LendOptions,
    job: (worker: QueryWorker) => Promise<Result>,
  ): Promise<Result>;
  /** Looks again whose turn it is, after other people have come to wait for a query. */
  reconsider(): void;
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
  /** The person whose turn it is on, while it is busy. */
  person: string | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

const stopping = (): QueryFailure => new QueryFailure('cancelled', 'The server is stopping. Try again.');

interface Waiting extends WaitingQuery {
  begin(person: string | undefined): void;
  give(failure: QueryFailure): void;
}

/**
 * Hands out workers. A worker serves one source of one organization for its whole life, so that nothing goes from one
 * to the other; it is kept for a while for the next query. `createTurns` says whose query begins next.
 */
export function createQueryPool(limits: QueryLimits, start: (seat: Seat) => QueryWorker): QueryPool {
  const members = new Set<Member>();
  const queue = new Set<Waiting>();
  const turns = createTurns(limits);
  let isClosed = false;

  async function lend<Result>(
    seat: Seat,
    options: LendOptions,
    job: (worker: QueryWorker) => Promise<Result>,
  ): Promise<Result> {
    const member = await takeTurn(seat, options);
    const slowTimer = setTimeout(() => {
      member.isSlow = true;
      turns.noteSlow(member);
      serveQueue();
    }, limits.slowAfterMs);
    try {
      return await job(member.worker);
    } finally {
      clearTimeout(slowTimer);
      giveBack(member);
    }
  }

  function takeTurn(seat: Seat, { signal, askers = [] }: LendOptions): Promise<Member> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(stopping());
      if (signal?.aborted === true) return reject(new QueryFailure('cancelled', 'The query was stopped.'));
      const fault = findFullQueue(seat, askers);
      if (fault !== undefined) return reject(new QueryFailure('busy', fault));
      const leave = (): void => waiting.give(new QueryFailure('cancelled', 'The query was stopped.'));
      function forget(): void {
        signal?.removeEventListener('abort', leave);
        queue.delete(waiting);
      }
      const waiting: Waiting = {
        seat,
        askers,
        begin: (person) => {
          forget();
          try {
            resolve(occupy(seat, person));
          } catch (cause) {
            reject(new QueryFailure('worker_lost', 'No process could be started for the query.', { cause }));
          }
        },
        give: (failure) => {
          forget();
          reject(failure);
        },
      };
      queue.add(waiting);
      signal?.addEventListener('abort', leave, { once: true });
      serveQueue();
    });
  }

  /** Returns why one more query may not wait, or undefined. */
  function findFullQueue({ organizationId }: Seat, [person]: readonly string[]): string | undefined {
    const waiting = [...queue];
    const ofOrganization = waiting.filter(({ seat }) => seat.organizationId === organizationId);
    if (ofOrganization.length >= limits.maxWaitingOfOrganization)
      return 'Too many queries of this organization are already waiting.';
    const ofPerson = person === undefined ? [] : waiting.filter(({ askers }) => askers.includes(person));
    if (ofPerson.length >= limits.maxWaitingOfPerson) return 'Too many of your queries are already waiting.';
    return undefined;
  }

  /** Begins queries until none may any more. */
  function serveQueue(): void {
    for (let turn = nextTurn(); turn !== undefined; turn = nextTurn()) turn.waiting.begin(turn.person);
  }

  const nextTurn = () => (queue.size === 0 ? undefined : turns.next(queue, runningQueries()));

  const runningQueries = (): RunningQuery[] => [...members].filter((member) => member.isBusy);

  function occupy(seat: Seat, person: string | undefined): Member {
    const idle = [...members].filter((member) => !member.isBusy);
    const kept = idle.find(
      (member) =>
        member.seat.sourceKey === seat.sourceKey && member.seat.organizationId === seat.organizationId,
    );
    if (kept !== undefined) {
      clearTimeout(kept.idleTimer);
      kept.isBusy = true;
      kept.person = person;
      return kept;
    }
    // The one that has waited longest makes room.
    if (members.size >= limits.maxWorkers && idle[0] !== undefined) dismiss(idle[0]);
    const worker = start(seat);
    const member: Member = { seat, worker, person, isBusy: true, isSlow: false, idleTimer: undefined };
    members.add(member);
    void member.worker.ended.then(() => dismiss(member));
    return member;
  }

  function giveBack(member: Member): void {
    member.isBusy = false;
    member.isSlow = false;
    member.person = undefined;
    if (isClosed || !member.worker.isUsable()) {
      dismiss(member);
    } else if (members.delete(member)) {
      // To the end of the line of the idle.
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
    lend,
    reconsider: serveQueue,
    workers: () =>
      [...members].map(({ seat, worker, isBusy }) => ({
        organizationId: seat.organizationId,
        processId: worker.processId(),
        isBusy,
      })),
    waiting: () => queue.size,
    close: async () => {
      isClosed = true;
      for (const waiting of Array.from(queue)) waiting.give(stopping());
      const ending = [...members].map((member) => member.worker.ended);
      for (const member of members) dismiss(member, stopping());
      await Promise.all(ending);
    },
  };
}
