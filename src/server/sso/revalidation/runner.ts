import { randomUUID } from 'node:crypto';
import type { SessionActor } from '../../base/actor.ts';
import { createClaimedWorkRunner } from '../../base/claimed-work.ts';
import { hoursMs, minutesMs, timestamp } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { findOpenSessions } from '../../sessions/sessions.ts';
import { checkSession, isCheckedTooLongAgo, type CheckDependencies } from './check.ts';
import { selectWaitingConfigurations, takeRefreshToken, takeRefreshTokens, type Due } from './store.ts';

/** A check takes at most ten seconds. If its process ends, another one makes it again after the lease. */
const leaseMs = minutesMs(1);
/** The longest interval, and a little more, since the clocks of processes differ. */
const longestWaitMs = hoursMs(1.5);
const pollMs = 2_000;

/** A provider that is slow delays only the checks of its own people. */
const maxPerConfiguration = 8;
/** An organization can have 20 directories. */
const maxPerOrganization = 24;
const maxInFlight = 100;

interface RunnerDependencies extends CheckDependencies {
  /** Called for the first of several failures to use the database. */
  readonly onFailure: (error: unknown) => void;
}

export interface Revalidation {
  /** Makes the checks that are due, and resolves once none is. */
  checkDue(): Promise<void>;
  /** Makes the checks that are due now and from now on. */
  start(): void;
  /** Begins no more checks, and waits for running ones. */
  stop(): Promise<void>;
}

/** Returns what checks the people of all organizations with their refresh tokens. Of several processes, one makes each check. */
export function createRevalidation({ onFailure, ...dependencies }: RunnerDependencies): Revalidation {
  const { database, clock } = dependencies;
  const runner = createClaimedWorkRunner({
    findWaiting: () => selectWaitingConfigurations(database, dueAt(clock())),
    take: async (configurationId, limit) => {
      const holder = randomUUID();
      const now = clock();
      const claim = { due: dueAt(now), configurationId, limit, holder, until: timestamp(now + leaseMs) };
      const taken = await database.write((transaction) => takeRefreshTokens(transaction, claim));
      return taken.map((token) => () => checkSession(dependencies, token, holder));
    },
    maxPerKey: maxPerConfiguration,
    maxPerOrganization,
    maxInFlight,
    pollMs,
    onFailure,
  });
  return { checkDue: runner.runDue, start: runner.start, stop: runner.stop };
}

const dueAt = (now: number): Due => ({
  now: timestamp(now),
  dueBy: timestamp(now),
  latestDue: timestamp(now + longestWaitMs),
  latestLease: timestamp(now + 2 * leaseMs),
});

/**
 * Checks the session of an actor before an administrative action, however long the interval, unless it was checked within the last
 * minute. If another process is checking it, or the provider does not respond, the action goes on. Throws
 * `unauthenticated` if the session has ended.
 */
export async function requireCheckedSession(
  dependencies: CheckDependencies,
  { credential: { id: sessionId, method } }: SessionActor,
): Promise<void> {
  if (method !== 'sso') return;
  const { database, clock } = dependencies;
  if (!(await isCheckedTooLongAgo(dependencies, sessionId))) return;
  const holder = randomUUID();
  const now = clock();
  const due = dueAt(now);
  const claim = { due: { ...due, dueBy: due.latestDue }, sessionId, holder, until: timestamp(now + leaseMs) };
  const token = await database.write((transaction) => takeRefreshToken(transaction, claim));
  if (token === undefined) return;
  await checkSession(dependencies, token, holder);
  if ((await findOpenSessions(database, clock, [sessionId])).size === 0)
    throw new AtriumError('unauthenticated', 'This session has just ended. Sign in again to continue.');
}
