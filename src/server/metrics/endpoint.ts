import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AtriumError } from '../base/errors.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import { respondToNothing } from '../http/other-methods.ts';
import { createServer } from '../http/server.ts';
import type { Metrics } from './metrics.ts';

/** The text format of Prometheus. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves the metrics at `/metrics`. If there is a token, requests have to send it. */
export function serveMetrics(
  server: FastifyInstance,
  metrics: Pick<Metrics, 'scrape'>,
  token: string | undefined,
): void {
  server.get('/metrics', { exposeHeadRoute: false }, async ({ headers }, reply) => {
    if (token !== undefined && !isAuthorized(headers.authorization, token)) {
      const wanted = { headers: { 'www-authenticate': 'Bearer' } };
      throw new AtriumError(
        'unauthenticated',
        'Send the token of ATRIUM_METRICS_TOKEN as a bearer token.',
        wanted,
      );
    }
    return reply.type(contentType).send(await metrics.scrape());
  });
}

/**
 * Enough for any monitoring system. Few, since each connection takes a descriptor, and the main port leaves only some to
 * spare: see `maxConnections`.
 */
const maxConnections = 16;

/** Returns a server that serves only the metrics, for a port of its own. */
export function createMetricsServer(
  options: Parameters<typeof createServer>[0],
  metrics: Pick<Metrics, 'scrape'>,
  token: string | undefined,
): FastifyInstance {
  const server = createServer(options);
  server.server.maxConnections = maxConnections;
  server.setNotFoundHandler(respondToNothing);
  serveMetrics(server, metrics, token);
  return server;
}

/** Hashes have the same length, so comparing them takes the same time whatever was sent. */
function isAuthorized(sent: string | undefined, token: string): boolean {
  const [, value] = /^Bearer ([^\s]+)$/i.exec(sent ?? '') ?? [];
  return value !== undefined && timingSafeEqual(Buffer.from(hashToken(value)), Buffer.from(hashToken(token)));
}
