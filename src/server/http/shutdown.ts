import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The stages of stopping a server. */
export interface Shutdown {
  /** Aborted at the beginning: the server is no longer ready, but accepts requests until proxies have noticed. */
  readonly begun: AbortSignal;
  /** Aborted shortly before connections are closed: running queries are cancelled, so that their clients get a response. */
  readonly isUrgent: AbortSignal;
}

/** From `begun` on, asks clients to send their next request over another connection. */
export function closeConnectionsAfter(server: FastifyInstance, begun: AbortSignal): void {
  begun.addEventListener('abort', () => {
    for (const event of ['request', 'checkContinue'])
      server.server.prependListener(event, (_request, response: ServerResponse) => {
        response.shouldKeepAlive = false;
      });
  });
}
