import { constants } from 'node:os';
import { outOfMemory, QueryFailure } from '../failure.ts';

/** Why a worker has ended that nobody has asked to end, with what an operator should know. */
export const deathCauses = {
  memory_limit: 'It used more memory than ATRIUM_QUERY_MEMORY_MB allows, and ended itself.',
  heap_full: 'Its JavaScript heap was full, such as by very large rows.',
  killed_by_system:
    'Linux killed it because memory ran out. Give the server more memory, or lower ATRIUM_QUERY_MEMORY_MB.',
  killed: 'Something killed it: a person, or a system that limits processes. Memory had not run out.',
  killed_probably_by_system: 'Something killed it, probably the operating system because memory ran out.',
  crashed: 'It crashed: a fault of the query engine.',
  protocol_violation: 'It sent something else than a reply, so it was killed. A query may have attacked it.',
  did_not_stop: 'It did not stop its query in time, so it was killed.',
  exited: 'It ended by itself.',
} as const;
export type DeathCause = keyof typeof deathCauses;

/** How a worker has ended. */
export interface WorkerDeath {
  readonly cause: DeathCause;
  readonly signal: string | undefined;
  readonly exitCode: number | undefined;
}

/** What is known about the end of a worker. */
export interface DeathFacts {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  /** What the worker or the server has said before, if either did. */
  readonly announced: 'memory_limit' | 'protocol_violation' | 'did_not_stop' | undefined;
  /** The processes that Linux had ended for lack of memory before the job, and now; undefined on other systems. */
  readonly oomKillsBefore: number | undefined;
  readonly oomKillsNow: number | undefined;
}

const crashes: readonly string[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS'];

export function toDeath(facts: DeathFacts): WorkerDeath {
  const { exitCode, signalCode } = facts;
  const signal = signalCode ?? signalOf(exitCode);
  const cause = facts.announced ?? causeOf(signal, facts);
  return { cause, signal, exitCode: exitCode ?? undefined };
}

function causeOf(signal: string | undefined, { oomKillsBefore, oomKillsNow }: DeathFacts): DeathCause {
  if (signal === undefined) return 'exited';
  // This is how V8 ends a process whose heap is full.
  if (signal === 'SIGABRT') return 'heap_full';
  if (crashes.includes(signal)) return 'crashed';
  if (signal !== 'SIGKILL') return 'killed';
  if (oomKillsBefore === undefined || oomKillsNow === undefined) return 'killed_probably_by_system';
  return oomKillsNow > oomKillsBefore ? 'killed_by_system' : 'killed';
}

/** A program that starts another one, such as bubblewrap, exits with 128 plus the number of the signal. */
const signalOf = (exitCode: number | null): string | undefined =>
  exitCode === null
    ? undefined
    : Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];

/** Returns why the query of a worker that has died failed, for the person who ran it. */
export function deathFailure({ cause }: WorkerDeath): QueryFailure {
  switch (cause) {
    case 'memory_limit':
    case 'heap_full':
      return outOfMemory();
    case 'killed_by_system':
      return new QueryFailure(
        'out_of_memory',
        'The query needed more memory than the server has left. Select fewer rows or columns, or try again later.',
      );
    case 'killed_probably_by_system':
      return new QueryFailure(
        'worker_lost',
        'The process that ran the query was killed, probably because the server ran out of memory. Try again later.',
      );
    case 'killed':
      return new QueryFailure('worker_lost', 'The process that ran the query was killed. Run it again.');
    case 'crashed':
    case 'protocol_violation':
    case 'did_not_stop':
    case 'exited':
      return new QueryFailure('worker_lost', 'The process that ran the query ended unexpectedly.');
  }
}
