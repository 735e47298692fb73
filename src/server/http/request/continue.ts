import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The requests whose clients wait for permission to send the body. */
const waiting = new WeakSet<IncomingMessage>();

/**
 * Asks a client that sends `Expect: 100-continue` (RFC 9110, section 10.1.1) for the body only after the request is
 * accepted by everything that doesn't need the body, such as its session and its length. Otherwise it gets the response at
 * once, and the connection is closed.
 */
export function continueLate(server: FastifyInstance): void {
  server.server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.routing(request, response);
  });
  // An expectation other than 100-continue is ignored, as the RFC allows.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (waiting.has(request.raw) && !isTooLong(request)) reply.raw.writeContinue();
    done(null, payload);
  });
}

/** The size of an upload is limited while it is received. */
const isTooLong = ({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): boolean =>
  config.route?.upload === undefined && Number(headers['content-length'] ?? 0) > bodyLimit;
