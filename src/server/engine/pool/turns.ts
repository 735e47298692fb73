import { LRUCache } from 'lru-cache';
import { keyOfOrganization, keyOfPerson } from '../../base/tenant.ts';
import type { QueryLimits } from '../limits.ts';
import type { WorkerSource } from '../source-description.ts';

/** The organization and the data source that a worker is bound to. */
export interface WorkerKey {
  readonly organizationId: string;
  /** Identifies a source together with its whole description. */
  readonly sourceKey: string;
  readonly source: WorkerSource;
  /** The id of the stored data source, if there is one. Several can have the same description, and share workers. */
  readonly sourceId?: string | undefined;
}

/** A query that a worker runs. */
export interface RunningQuery {
  readonly workerKey: WorkerKey;
  /** The id of the person whose turn it was; undefined for a job of the server. */
  readonly person: string | undefined;
  /** Whether it has run for so long that other queries of the source no longer wait for it. */
  readonly isSlow: boolean;
}

/** A query that waits for its turn. */
export interface WaitingQuery {
  readonly workerKey: WorkerKey;
  /** The ids of the people who wait for its result; may change while it is pending. None for a job of the server. */
  readonly requesterIds: readonly string[];
}

/** The query that starts next, and the person whose turn it is. */
export interface Turn<Waiting> {
  readonly waiting: Waiting;
  readonly person: string | undefined;
}

export interface Turns {
  /** Returns whose turn it is, or undefined if no query may start. */
  next<Waiting extends WaitingQuery>(
    queue: Iterable<Waiting>,
    running: readonly RunningQuery[],
  ): Turn<Waiting> | undefined;
  /** Records that a query turned out to be slow. */
  noteSlow(query: RunningQuery): void;
}

/** How long after a slow query its person and its organization can't use the reserved workers. */
const heavyForMs = 60_000;
/** How many people and organizations are remembered. */
const maxRemembered = 10_000;

/**
 * Shares the workers among people and among organizations. Those with the fewest running queries go first, and among these
 * the ones whose last turn was the longest ago. Nobody gets more workers than they leave free, and one person doesn't get all
 * the workers that an organization or a source may have. The last quarter of the workers is reserved for people and
 * organizations that have no running query and had no slow one in the last minute.
 */
export function createTurns(limits: QueryLimits, clock = (): number => performance.now()): Turns {
  const heldBack = Math.floor(limits.maxWorkers / 4);
  const heavy = new LRUCache<string, true>({
    max: maxRemembered,
    ttl: heavyForMs,
    ttlResolution: 0,
    perf: { now: clock },
  });
  const lastTurns = new LRUCache<string, number>({ max: maxRemembered });
  let turnCount = 0;

  function mayBegin({ workerKey, person }: Candidate, free: number, count: Count): boolean {
    const { organization, source, quick } = keysOf(workerKey);
    if (
      count(organization) >= Math.min(limits.maxWorkersPerOrganization, free) ||
      count(source) >= limits.maxWorkersPerSource ||
      (workerKey.source.engine?.files !== undefined && count(quick) >= limits.maxQuickWorkersPerFilesSource)
    )
      return false;
    const isShared = free > heldBack;
    if (!isShared && (count(organization) > 0 || heavy.has(organization))) return false;
    if (person === undefined) return true;
    const own = keyOfPerson(person);
    return (
      count(own) < Math.min(limits.maxWorkersPerPerson, free) &&
      count(`${own} ${organization}`) < leavingOne(limits.maxWorkersPerOrganization) &&
      count(`${own} ${source}`) < leavingOne(limits.maxWorkersPerSource) &&
      (isShared || (count(own) === 0 && !heavy.has(own)))
    );
  }

  /** Lower numbers go first; the first number that differs decides. */
  function rankOf({ workerKey, person }: Candidate, count: Count): readonly number[] {
    const { organization } = keysOf(workerKey);
    const own = person === undefined ? organization : keyOfPerson(person);
    return [count(own), count(organization), lastTurns.get(own) ?? 0, lastTurns.get(organization) ?? 0];
  }

  function noteTurn({ workerKey, person }: Candidate): void {
    turnCount += 1;
    lastTurns.set(keysOf(workerKey).organization, turnCount);
    if (person !== undefined) lastTurns.set(keyOfPerson(person), turnCount);
  }

  return {
    next(queue, running) {
      const free = limits.maxWorkers - running.length;
      if (free <= 0) return undefined;
      const count = countOf(running);
      const candidates = candidatesOf(queue).filter((each) => mayBegin(each, free, count));
      const [first] = candidates
        .map((candidate) => ({ candidate, rank: rankOf(candidate, count) }))
        .toSorted((one, other) => compareRanks(one.rank, other.rank));
      if (first === undefined) return undefined;
      noteTurn(first.candidate);
      return first.candidate;
    },
    noteSlow({ workerKey, person }) {
      heavy.set(keysOf(workerKey).organization, true);
      if (person !== undefined) heavy.set(keyOfPerson(person), true);
    },
  };
}

interface Candidate extends Turn<WaitingQuery> {
  readonly workerKey: WorkerKey;
}

/** Returns the first query in line of each person over each source. */
function candidatesOf<Waiting extends WaitingQuery>(
  queue: Iterable<Waiting>,
): (Turn<Waiting> & { readonly workerKey: WorkerKey })[] {
  const candidates = new Map<string, Turn<Waiting> & { readonly workerKey: WorkerKey }>();
  for (const waiting of queue) {
    const { workerKey, requesterIds } = waiting;
    const { source } = keysOf(workerKey);
    for (const person of requesterIds.length === 0 ? [undefined] : requesterIds) {
      const key = `${source} ${person ?? ''}`;
      if (!candidates.has(key)) candidates.set(key, { waiting, workerKey, person });
    }
  }
  return [...candidates.values()];
}

type Count = (key: string) => number;

/** Counts the running queries by everything that has a limit. */
function countOf(running: readonly RunningQuery[]): Count {
  const counts = new Map<string, number>();
  for (const { workerKey, person, isSlow } of running) {
    const { organization, source, quick } = keysOf(workerKey);
    const own = person === undefined ? [] : [keyOfPerson(person)];
    const keys = [
      organization,
      source,
      ...(isSlow ? [] : [quick]),
      ...own.flatMap((key) => [key, `${key} ${organization}`, `${key} ${source}`]),
    ];
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (key) => counts.get(key) ?? 0;
}

const keysOf = ({ organizationId, sourceKey }: WorkerKey) => ({
  organization: keyOfOrganization(organizationId),
  source: `source ${organizationId} ${sourceKey}`,
  quick: `quick ${organizationId} ${sourceKey}`,
});

const leavingOne = (limit: number): number => Math.max(1, limit - 1);

function compareRanks(one: readonly number[], other: readonly number[]): number {
  for (const [index, rank] of one.entries()) {
    const difference = rank - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
