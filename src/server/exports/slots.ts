import { AtriumError } from '../base/errors.ts';
import type { ExportLimits } from './job.ts';

/** Limits how many exports run at once. */
export interface ExportSlots {
  /**
   * Runs the work when it is the turn of its organization. Throws `exports_busy` if too many exports of the organization wait
   * already, or if it has waited for too long.
   */
  run<Result>(organization: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

interface Waiting {
  readonly organization: string;
  readonly start: () => void;
}

type SlotLimits = Pick<
  ExportLimits,
  'maxWorkers' | 'maxWorkersPerOrganization' | 'maxWaitingPerOrganization' | 'maxWaitMs'
>;

/** How many seconds later clients should try again. */
const retryAfterSeconds = 10;

export function createExportSlots(limits: SlotLimits): ExportSlots {
  const running: string[] = [];
  let waiting: readonly Waiting[] = [];

  const countOf = (organizations: readonly string[], organization: string): number =>
    organizations.filter((each) => each === organization).length;
  const mayStart = (organization: string): boolean =>
    running.length < limits.maxWorkers && countOf(running, organization) < limits.maxWorkersPerOrganization;

  function startNext(): void {
    const next = waiting.find(({ organization }) => mayStart(organization));
    if (next === undefined) return;
    waiting = waiting.filter((each) => each !== next);
    running.push(next.organization);
    next.start();
  }

  function release(organization: string): void {
    running.splice(running.indexOf(organization), 1);
    startNext();
  }

  async function takeTurn(organization: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (mayStart(organization)) {
      running.push(organization);
      return;
    }
    const organizations = waiting.map((each) => each.organization);
    if (countOf(organizations, organization) >= limits.maxWaitingPerOrganization) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = { organization, start: resolve };
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
    async run(organization, signal, work) {
      await takeTurn(organization, signal);
      try {
        return await work();
      } finally {
        release(organization);
      }
    },
  };
}

const busy = (): AtriumError =>
  new AtriumError('exports_busy', 'Other exports are being made. Try again in a moment.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
