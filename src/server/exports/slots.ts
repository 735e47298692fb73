import { LRUCache } from 'lru-cache';
import { AtriumError } from '../base/errors.ts';
import { keyOfPerson, keyOfTenant, type LimitKey, type Tenant } from '../base/tenant.ts';
import type { ExportLimits } from './job.ts';

/** Whose export it is. One person can belong to many organizations, which must not take the turns of all others. */
export interface ExportOwner {
  /** Whose what is exported is. */
  readonly tenant: Tenant;
  /** Who exports it. */
  readonly userId: string;
}

/** Runs work when it is the turn of an export. Throws `exports_busy` if it has waited for too long. */
export type TakeSlot = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Limits how many exports run at once. */
export interface ExportSlots {
  /**
   * Runs the work of an export, which takes a slot only for the part that needs one. Throws `exports_busy` if too many exports of the
   * organization or of the person are in progress.
   */
  admit<Result>(
    owner: ExportOwner,
    signal: AbortSignal,
    work: (takeSlot: TakeSlot) => Promise<Result>,
  ): Promise<Result>;
  /** Like `admit`, for work that needs a slot from its start to its end. */
  run<Result>(owner: ExportOwner, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

type Keys = ReadonlySet<LimitKey>;

interface Waiting {
  readonly keys: Keys;
  readonly start: () => void;
}

type SlotLimits = Pick<
  ExportLimits,
  'maxWorkers' | 'reservedWorkers' | 'maxWorkersPerOrganization' | 'maxWaitingPerOrganization' | 'maxWaitMs'
>;

/** How many seconds later clients should try again. */
const retryAfterSeconds = 10;
/** Exports that take longer are slow, and how long after one its organization and person can't use the reserved slots. */
const slowMs = 5_000;
const heavyForMs = 60_000;
/** How many organizations and people are remembered. */
const maxRemembered = 10_000;

/**
 * Returns slots that organizations and people get in turn: those whose last turn was the longest ago go first, however many exports others
 * have waiting. The last slots are reserved for those that have none running and had no slow one in the last minute, so that nobody waits for
 * the slow exports of others.
 */
export function createExportSlots(limits: SlotLimits, clock = (): number => performance.now()): ExportSlots {
  const running = new Set<Keys>();
  const admitted = new Set<Keys>();
  const waiting = new Set<Waiting>();
  /** The numbers of turns. */
  const lastTurns = new LRUCache<LimitKey, number>({ max: maxRemembered });
  const heavy = new LRUCache<LimitKey, true>({
    max: maxRemembered,
    ttl: heavyForMs,
    ttlResolution: 0,
    perf: { now: clock },
  });
  let turnCount = 0;

  /** Returns how many of these are of the organization or of the person, whichever has more. */
  function countOf(all: Iterable<Keys>, keys: Keys): number {
    const each = [...all];
    return Math.max(...[...keys].map((key) => each.filter((other) => other.has(key)).length));
  }

  function mayStart(keys: Keys): boolean {
    const free = limits.maxWorkers - running.size;
    const own = countOf(running, keys);
    if (free <= 0 || own >= limits.maxWorkersPerOrganization) return false;
    return free > limits.reservedWorkers || (own === 0 && ![...keys].some((key) => heavy.has(key)));
  }

  /** The later of the last turns of the organization and the person: neither may use the other to go first. */
  const lastTurnOf = (keys: Keys): number => Math.max(...[...keys].map((key) => lastTurns.get(key) ?? 0));

  function start(keys: Keys): void {
    running.add(keys);
    turnCount += 1;
    for (const key of keys) lastTurns.set(key, turnCount);
  }

  function end(keys: Keys, startedAt: number): void {
    running.delete(keys);
    if (clock() - startedAt > slowMs) for (const key of keys) heavy.set(key, true);
    startNext();
  }

  function startNext(): void {
    const [next] = [...waiting]
      .filter(({ keys }) => mayStart(keys))
      .toSorted((one, other) => lastTurnOf(one.keys) - lastTurnOf(other.keys));
    if (next === undefined) return;
    waiting.delete(next);
    start(next.keys);
    next.start();
  }

  async function waitForTurn(keys: Keys, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (mayStart(keys)) return start(keys);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = { keys, start: resolve };
    waiting.add(entry);
    const leave = (error: unknown): void => {
      waiting.delete(entry);
      reject(error);
    };
    const onAbort = (): void => leave(signal.reason);
    const timer = setTimeout(() => leave(exportsBusy()), limits.maxWaitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  const slots: ExportSlots = {
    async admit({ tenant, userId }, signal, work) {
      const keys: Keys = new Set([keyOfTenant(tenant), keyOfPerson(userId)]);
      const most = limits.maxWorkersPerOrganization + limits.maxWaitingPerOrganization;
      if (countOf(admitted, keys) >= most) throw exportsBusy();
      admitted.add(keys);
      try {
        return await work(async (inSlot) => {
          await waitForTurn(keys, signal);
          const startedAt = clock();
          try {
            return await inSlot();
          } finally {
            end(keys, startedAt);
          }
        });
      } finally {
        admitted.delete(keys);
      }
    },
    run: (owner, signal, work) => slots.admit(owner, signal, (takeSlot) => takeSlot(work)),
  };
  return slots;
}

/** Returns the error of an export that others leave no room for now. */
export const exportsBusy = (): AtriumError =>
  new AtriumError('exports_busy', 'Other exports are being made. Try again in a moment.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
