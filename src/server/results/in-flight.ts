import { QueryFailure } from '../engine/failure.ts';

interface Work<Value> {
  readonly value: Promise<Value>;
  readonly abort: AbortController;
  /** The ids of the people who wait; twice for a person who waits twice. */
  readonly requesterIds: string[];
  isOver: boolean;
}

/** Work that is under way, which is done once for everyone who asks for the same. */
export interface InFlight<Value> {
  /**
   * Returns what `work` returns, or what equal work returns that has already begun. Work is aborted when nobody waits for
   * it any longer. `work` gets the ids of the people who wait: the list changes as they come and go, and `onJoined` is
   * called when someone has joined work that was already under way.
   */
  join(
    key: string,
    options: { readonly requesterId: string; readonly signal: AbortSignal; readonly onJoined?: () => void },
    work: (signal: AbortSignal, requesterIds: readonly string[]) => Promise<Value>,
  ): Promise<Value>;
}

export function createInFlight<Value>(): InFlight<Value> {
  const underWay = new Map<string, Work<Value>>();

  function begin(key: string, requesterId: string, run: Parameters<InFlight<Value>['join']>[2]): Work<Value> {
    const abort = new AbortController();
    const requesterIds = [requesterId];
    const value = run(abort.signal, requesterIds).finally(() => {
      work.isOver = true;
      if (underWay.get(key) === work) underWay.delete(key);
    });
    // Those who wait see the failure; when everyone has left, nobody has to.
    value.catch(() => {});
    const work: Work<Value> = { value, abort, requesterIds, isOver: false };
    underWay.set(key, work);
    return work;
  }

  return {
    async join(key, { requesterId, signal, onJoined }, run) {
      if (signal.aborted) throw cancelled();
      const existing = underWay.get(key);
      const work = existing ?? begin(key, requesterId, run);
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
          // The next to ask starts over instead of waiting for work that is being aborted.
          if (underWay.get(key) === work) underWay.delete(key);
          work.abort.abort();
        }
      }
    },
  };
}

/** The failure of a request whose client has left. */
export const cancelled = (): QueryFailure =>
  new QueryFailure('cancelled', 'The query was cancelled because its client left.');
