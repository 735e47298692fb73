import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** The work that each server has to finish before it closes. */
const pending = new WeakMap<Server, Set<Promise<void>>>();

/**
 * Returns a function that runs work once the response is being sent, so that its duration can't be observed. Errors are
 * logged.
 */
export const afterResponse =
  (reply: FastifyReply): ((work: () => Promise<void>) => void) =>
  (work) => {
    const { server } = reply.server;
    const works = pending.get(server) ?? new Set();
    pending.set(server, works);
    const done: Promise<void> = setImmediate()
      .then(work)
      .catch((error: unknown) => {
        reply.log.error({ err: error }, 'Work after a response failed');
      })
      .finally(() => works.delete(done));
    works.add(done);
  };

/** Waits for the work after responses, so that none of it is lost when the server stops. */
export async function finishAfterResponses(server: Server): Promise<void> {
  const works = pending.get(server);
  if (works !== undefined) await Promise.all(works);
}
