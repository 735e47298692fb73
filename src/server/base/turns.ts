import type { LimitKey } from './tenant.ts';

/** How long requests may run in one turn of the event loop before more of them wait for the next turns. */
const maxTurnMs = 20;

/** Turns of the event loop, which all requests share: nobody else gets a response during one. */
export interface Turns {
  /** Returns undefined if work may begin at once, as it usually may; otherwise, what resolves once it may. */
  readonly enter: (key: LimitKey) => Promise<void> | undefined;
  /** Resolves in a later turn, after others had theirs. For work that goes on for many turns, such as a stream. */
  readonly next: (key: LimitKey) => Promise<void>;
}

/**
 * Returns a queue of work that would make a turn too long. It starts one piece of work in a turn, of each key in rotation, so that
 * whoever sends many requests at once, or reads many streams, keeps others waiting for one of them at most.
 */
export function createTurns(
  now: () => number = () => performance.now(),
  inNextTurn: (run: () => void) => void = setImmediate,
): Turns {
  const waiting = new Map<LimitKey, (() => void)[]>();
  let beganAt = -Infinity;
  let isNextScheduled = false;

  function scheduleNext(): void {
    if (isNextScheduled) return;
    isNextScheduled = true;
    inNextTurn(begin);
  }

  function begin(): void {
    isNextScheduled = false;
    beganAt = now();
    const [first] = waiting;
    if (first === undefined) return;
    const [key, [start, ...others]] = first;
    waiting.delete(key);
    if (others.length > 0) waiting.set(key, others);
    if (waiting.size > 0) scheduleNext();
    start?.();
  }

  function wait(key: LimitKey): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = waiting.get(key);
    if (queue === undefined) waiting.set(key, [resolve]);
    else queue.push(resolve);
    scheduleNext();
    return promise;
  }

  return {
    enter(key) {
      const at = now();
      if (waiting.has(key)) return wait(key);
      if (at - beganAt <= maxTurnMs) return undefined;
      if (isNextScheduled) return wait(key);
      // Nobody counts turns while little happens, so this may be the first work of a turn.
      beganAt = at;
      scheduleNext();
      return undefined;
    },
    next: wait,
  };
}

/** The turns of this thread. */
export const { enter: enterTurn, next: nextTurn }: Turns = createTurns();
