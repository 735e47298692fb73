import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { keyOfDisplay, keyOfPerson, keyOfTenant, tenantOf, type LimitKey } from '../../base/tenant.ts';
import { enterTurn } from '../../base/turns.ts';
import { createBuckets, type Bucket } from './buckets.ts';

/** What the session of a person has for the first moment: many tabs that open at once. */
const burstMinutes = 2;
/** An organization may use the processor time of this many people: half a core by default. */
const peopleWorth = 3;
/** What it costs to receive or send bytes, besides what is measured. */
const bytesPerMs = 100_000;

/** The processor time of one request on the main thread, as far as it is measured, and who pays for it. */
export interface Work {
  /** Begins to measure. Everything until `end` is synchronous. */
  readonly begin: () => void;
  /** Counts the time since `begin`, and the bytes that were received or sent. Without a `begin`, it does nothing. */
  readonly end: (sizeBytes?: number) => void;
  /** Returns undefined if work may begin at once; otherwise, what resolves once it may. Then it throws as `requireLeft`. */
  readonly enter: () => Promise<void> | undefined;
  /** Throws `too_many_attempts` if no processor time is left, which requests in progress can have used meanwhile. */
  readonly requireLeft: () => void;
}

/** Returns what measures a request. Throws `too_many_attempts` if the person or the organization has nothing left. */
export type LimitWork = (actor: Actor) => Work;

/**
 * Returns the function that limits the requests of sessions and wall displays, and the processor time of all requests: of a person, by
 * sessions and tokens together, and of an organization, by all that is limited to it.
 */
export function createWorkLimits({
  clock,
  sessionRequestsPerMinute,
  processorMsPerMinute,
}: {
  readonly clock: Clock;
  /** The requests of all sessions of a person, or of a wall display. */
  readonly sessionRequestsPerMinute: number;
  /** The processor time of a person. */
  readonly processorMsPerMinute: number;
}): LimitWork {
  const requests = createBuckets({
    clock,
    capacity: sessionRequestsPerMinute * burstMinutes,
    perMinute: sessionRequestsPerMinute,
  });
  const organizationMs = processorMsPerMinute * peopleWorth;
  const ofPeople = createBuckets({ clock, capacity: processorMsPerMinute, perMinute: processorMsPerMinute });
  const ofOrganizations = createBuckets({ clock, capacity: organizationMs, perMinute: organizationMs });

  function takeRequest(key: LimitKey): void {
    const bucket = requests.open(key);
    if (bucket.left < 1) {
      const seconds = requests.secondsUntil(bucket, 1);
      throw refusal('There were too many requests.', 'session', sessionRequestsPerMinute, seconds);
    }
    requests.use(bucket, 1);
  }

  function requireLeft(person: Bucket, organization: Bucket): void {
    if (person.left > 0 && organization.left > 0) return;
    // Whole milliseconds, so that the time to wait doesn't end just before.
    if (person.left <= 0) {
      const seconds = ofPeople.secondsUntil(person, 1);
      throw refusal(
        'Your requests have used too much processor time.',
        'processor',
        processorMsPerMinute,
        seconds,
      );
    }
    const seconds = ofOrganizations.secondsUntil(organization, 1);
    throw refusal(
      'The requests of this organization have used too much processor time.',
      'organization-processor',
      organizationMs,
      seconds,
    );
  }

  return ({ userId, scope, credential }) => {
    const payer = credential.kind === 'display' ? keyOfDisplay(credential.id) : keyOfPerson(userId);
    const organizationId = scope === 'all' ? undefined : scope.organizationId;
    const person = ofPeople.open(payer);
    const organization = ofOrganizations.open(keyOfTenant(tenantOf({ organizationId, userId })));
    requireLeft(person, organization);
    // Tokens have a limit of their own.
    if (credential.kind !== 'token') takeRequest(payer);

    let startedAt: number | undefined;
    return {
      enter: () => enterTurn(payer)?.then(() => requireLeft(person, organization)),
      begin() {
        startedAt = performance.now();
      },
      end(sizeBytes = 0) {
        if (startedAt === undefined) return;
        const usedMs = performance.now() - startedAt + sizeBytes / bytesPerMs;
        startedAt = undefined;
        ofPeople.use(person, usedMs);
        ofOrganizations.use(organization, usedMs);
      },
      requireLeft: () => requireLeft(person, organization),
    };
  };
}

/** The header fields are those of the limit of tokens. The unit of processor time is a millisecond. */
function refusal(what: string, policy: string, perMinute: number, seconds: number): AtriumError {
  return new AtriumError('too_many_attempts', `${what} Try again in ${seconds} s.`, {
    headers: {
      ratelimit: `"${policy}";r=0;t=${seconds}`,
      'ratelimit-policy': `"${policy}";q=${perMinute};w=60`,
      'retry-after': String(seconds),
    },
  });
}

/** Returns the result of synchronous work on a body, such as parsing it, and counts it. Throws `too_many_attempts` before. */
function countWork<Result>(work: Work | undefined, sizeBytes: number, run: () => Result): Result {
  work?.requireLeft();
  work?.begin();
  try {
    return run();
  } finally {
    work?.end(sizeBytes);
  }
}

/** A body from which on parsing and validating it waits for a turn: smaller ones take less than a millisecond. */
const largeBodyBytes = 16 * 1024;

/** Passes on what `parse` returns for a body, and counts it as work. A large body waits for its turn, as an operation does. */
export function parseInTurn(
  work: Work | undefined,
  bytes: Buffer,
  parse: () => unknown,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const run = (): void => {
    try {
      done(null, countWork(work, bytes.length, parse));
    } catch (error) {
      done(error as Error);
    }
  };
  const turn = bytes.length > largeBodyBytes ? work?.enter() : undefined;
  if (turn === undefined) run();
  else turn.then(run, done);
}

/** Yields the pieces of a body, and counts the work that it takes to produce each. */
export function* countPieces<Piece extends string | Uint8Array>(
  work: Work,
  pieces: Iterable<Piece>,
): Generator<Piece> {
  const iterator = pieces[Symbol.iterator]();
  try {
    for (;;) {
      work.begin();
      const next = iterator.next();
      work.end(next.done === true ? 0 : next.value.length);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    iterator.return?.();
  }
}
