import type { FastifyReply } from 'fastify';

/** Runs work once the answer is on its way: how long it takes tells nobody whether there was any. */
export type AfterAnswer = (work: () => Promise<void>) => void;

/** Returns how to run work after an answer; what it throws is logged. */
export const afterAnswer =
  (reply: FastifyReply): AfterAnswer =>
  (work) => {
    setImmediate(() => {
      work().catch((error: unknown) => {
        reply.log.error({ err: error }, 'What was to be done after an answer failed');
      });
    });
  };
