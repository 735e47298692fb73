import type { FastifyInstance } from 'fastify';

/** How far the stop of a server has come. */
export interface Shutdown {
  /** Aborted when it begins: the server is not ready any more, but accepts requests until proxies have noticed. */
  readonly begun: AbortSignal;
  /** Aborted shortly before connections are cut: what still runs is cancelled, so that its clients get a response. */
  readonly isUrgent: AbortSignal;
}

/** From `begun` on, asks clients to send their next request over another connection. */
export function closeConnectionsAfter(server: FastifyInstance, begun: AbortSignal): void {
  begun.addEventListener('abort', () => {
    server.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
  });
}
