import type { LimitKey } from '../base/tenant.ts';
import { ScimError } from './protocol/errors.ts';

/** More than a directory sends at once. Each waits with its body in memory. */
const maxWaiting = 100;

/** Waits for a turn of an organization. Returns a function that ends it; calling it again does nothing. */
export type TakeTurn = (key: LimitKey) => Promise<() => void>;

/** Limits how many requests of each organization run at once. Throws 503 if too many are waiting. */
export function createTurnsOfOrganizations(maxAtOnce: number): TakeTurn {
  const queues = new Map<LimitKey, { runningCount: number; readonly waiting: (() => void)[] }>();
  return async (key) => {
    const queue = queues.get(key) ?? { runningCount: 0, waiting: [] };
    if (queue.waiting.length >= maxWaiting)
      throw new ScimError(503, undefined, 'Too many requests are waiting. Send this one again later.');
    queues.set(key, queue);
    if (queue.runningCount < maxAtOnce) queue.runningCount += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const startNext = queue.waiting.shift();
      if (startNext !== undefined) return startNext();
      queue.runningCount -= 1;
      if (queue.runningCount === 0) queues.delete(key);
    };
  };
}
