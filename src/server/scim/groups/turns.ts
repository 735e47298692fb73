import { ScimError } from '../protocol/errors.ts';

/** More than a directory sends at once. Each waits with its body in memory. */
const maxWaiting = 100;

/** Does some work once it is the turn of an organization, and returns its result. */
export type TakeTurn = <Result>(organizationId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns what lets each organization change one group at a time: a change of a large one takes seconds, and many at once would hold up
 * the writes of all other organizations. Throws 503 if too many are waiting.
 */
export function createTurnsOfOrganizations(): TakeTurn {
  const queues = new Map<string, { count: number; last: Promise<unknown> }>();
  return async (organizationId, work) => {
    const queue = queues.get(organizationId) ?? { count: 0, last: Promise.resolve() };
    if (queue.count >= maxWaiting)
      throw new ScimError(
        503,
        undefined,
        'Too many changes of groups are waiting. Send this one again later.',
      );
    queues.set(organizationId, queue);
    queue.count += 1;
    const mine = queue.last.then(work);
    queue.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) queues.delete(organizationId);
    }
  };
}
