import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the client leaves before it has the whole answer. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  // While who asks was found out, say.
  if (raw.destroyed) left.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}
