import { QueryFailure } from '../engine/failure.ts';

interface Work<Value> {
  readonly value: Promise<Value>;
  readonly abort: AbortController;
  /** The ids of the people who wait. A person who waits twice is in the list twice. */
  readonly requesterIds: string[];
  isOver: boolean;
}

/** Shares work in progress, so that equal requests run it only once. */
export interface InFlight<Value> {
  /**
   * Returns the result of `work`, or of work with the same key that is already in progress. Work is aborted when nobody waits
   * for it any longer. `work` gets the ids of the people who wait. The list changes while it runs, and `onJoined` is called
   * when someone joins work that is already in progress.
   */
  join(
    key: string,
    options: { readonly requesterId: string; readonly signal: AbortSignal; readonly onJoined?: () => void },
    work: (signal: AbortSignal, requesterIds: readonly string[]) => Promise<Value>,
  ): Promise<Value>;
}

export function createInFlight<Value>(): InFlight<Value> {
  const inProgress = new Map<string, Work<Value>>();

  function start(key: string, requesterId: string, run: Parameters<InFlight<Value>['join']>[2]): Work<Value> {
    const abort = new AbortController();
    const requesterIds = [requesterId];
    const value = run(abort.signal, requesterIds).finally(() => {
      work.isOver = true;
      if (inProgress.get(key) === work) inProgress.delete(key);
    });
    // Everyone who waits gets the error. If everyone has left, it must not be an unhandled rejection.
    value.catch(() => {});
    const work: Work<Value> = { value, abort, requesterIds, isOver: false };
    inProgress.set(key, work);
    return work;
  }

  return {
    async join(key, { requesterId, signal, onJoined }, run) {
      if (signal.aborted) throw cancelled();
      const existing = inProgress.get(key);
      const work = existing ?? start(key, requesterId, run);
      if (existing !== undefined) {
        existing.requesterIds.push(requesterId);
        onJoined?.();
      }
      let leave = (): void => {};
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(cancelled());
      });
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([work.value, left]);
      } finally {
        signal.removeEventListener('abort', leave);
        work.requesterIds.splice(work.requesterIds.indexOf(requesterId), 1);
        if (work.requesterIds.length === 0 && !work.isOver) {
          // The next request starts again instead of waiting for work that is being aborted.
          if (inProgress.get(key) === work) inProgress.delete(key);
          work.abort.abort();
        }
      }
    },
  };
}

/** Returns the failure of a request whose client has disconnected. */
export const cancelled = (): QueryFailure =>
  new QueryFailure('cancelled', 'The query was cancelled because its client disconnected.');
