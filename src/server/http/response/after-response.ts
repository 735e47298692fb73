import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** What each server has to finish before it has closed. */
const underWay = new WeakMap<Server, Set<Promise<void>>>();

/**
 * Returns how to run work once the answer is on its way: how long it takes tells nobody whether there was any. What it
 * throws is logged.
 */
export const afterAnswer =
  (reply: FastifyReply): ((work: () => Promise<void>) => void) =>
  (work) => {
    const { server } = reply.server;
    const works = underWay.get(server) ?? new Set();
    underWay.set(server, works);
    const done: Promise<void> = setImmediate()
      .then(work)
      .catch((error: unknown) => {
        reply.log.error({ err: error }, 'What was to be done after an answer failed');
      })
      .finally(() => works.delete(done));
    works.add(done);
  };

/** Waits for what a server still does after its answers: a server that stops loses none of it. */
export async function finishAfterAnswers(server: Server): Promise<void> {
  const works = underWay.get(server);
  if (works !== undefined) await Promise.all(works);
}
