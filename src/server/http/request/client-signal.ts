import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the client disconnects before it has the whole response. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // For example, during authentication.
  if (raw.destroyed) disconnected.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
