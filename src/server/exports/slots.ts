import { AtriumError } from '../base/errors.ts';
import type { ExportLimits } from './job.ts';

/** Whose export it is. One person can belong to many organizations, which must not take the turns of all others. */
export interface ExportOwner {
  /** Of the dashboard; undefined if it is personal. */
  readonly organizationId?: string | undefined;
  readonly userId: string;
}

/** Limits how many exports run at once. */
export interface ExportSlots {
  /**
   * Runs the work when it is the turn of its organization and person. Throws `exports_busy` if too many exports of one of them wait
   * already, or if it has waited for too long.
   */
  run<Result>(owner: ExportOwner, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

interface Waiting {
  readonly owner: ExportOwner;
  readonly start: () => void;
}

type SlotLimits = Pick<
  ExportLimits,
  'maxWorkers' | 'maxWorkersPerOrganization' | 'maxWaitingPerOrganization' | 'maxWaitMs'
>;

/** How many seconds later clients should try again. */
const retryAfterSeconds = 10;

export function createExportSlots(limits: SlotLimits): ExportSlots {
  const running: ExportOwner[] = [];
  let waiting: readonly Waiting[] = [];

  /** Returns how many of these are of the organization or of the person, whichever has more. */
  function countOf(owners: readonly ExportOwner[], { organizationId, userId }: ExportOwner): number {
    const ofOrganization =
      organizationId === undefined ? [] : owners.filter((each) => each.organizationId === organizationId);
    return Math.max(ofOrganization.length, owners.filter((each) => each.userId === userId).length);
  }
  const mayStart = (owner: ExportOwner): boolean =>
    running.length < limits.maxWorkers && countOf(running, owner) < limits.maxWorkersPerOrganization;

  function startNext(): void {
    const next = waiting.find(({ owner }) => mayStart(owner));
    if (next === undefined) return;
    waiting = waiting.filter((each) => each !== next);
    running.push(next.owner);
    next.start();
  }

  function release(owner: ExportOwner): void {
    running.splice(running.indexOf(owner), 1);
    startNext();
  }

  async function takeTurn(owner: ExportOwner, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (mayStart(owner)) {
      running.push(owner);
      return;
    }
    const owners = waiting.map((each) => each.owner);
    if (countOf(owners, owner) >= limits.maxWaitingPerOrganization) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = { owner, start: resolve };
    waiting = [...waiting, entry];
    const leave = (error: unknown): void => {
      waiting = waiting.filter((each) => each !== entry);
      reject(error);
    };
    const onAbort = (): void => leave(signal.reason);
    const timer = setTimeout(() => leave(busy()), limits.maxWaitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    async run(owner, signal, work) {
      await takeTurn(owner, signal);
      try {
        return await work();
      } finally {
        release(owner);
      }
    },
  };
}

const busy = (): AtriumError =>
  new AtriumError('exports_busy', 'Other exports are being made. Try again in a moment.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
