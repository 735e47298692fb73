import { pipeline, type Readable } from 'node:stream';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';

/** Below this size, compressing takes longer than sending. */
const minBytes = 2 * 1024;

/** JSON, problem documents, NDJSON and CSV. Not events, which are small, and not the types that are compressed already. */
const compressible = /^(application\/(problem\+)?json|application\/x-ndjson|text\/csv|text\/html)(;|$)/;

const compress = {
  br: (text: string | Buffer, done: (error: Error | null, compressed: Buffer) => void) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    };
    brotliCompress(text, { params }, done);
  },
  gzip,
};

/**
 * Compresses the responses of all routes that are registered afterwards, as the client asks (RFC 9110, section 12.5.3). Each line
 * of a stream is sent at once.
 *
 * This is not `@fastify/compress`, which also compresses every type that `mime-db` considers compressible, such as a script of
 * 4 MB for anyone without a session, and takes a CSV file that begins with "HKD" for a deflated one, which no client can read.
 */
export function compressResponses(server: FastifyInstance): void {
  server.addHook('onSend', ({ method, headers }, reply, payload: string | Buffer | Readable | null, done) => {
    const isSuitable =
      payload !== null &&
      payload !== undefined &&
      method !== 'HEAD' &&
      compressible.test(String(reply.getHeader('content-type'))) &&
      !reply.hasHeader('content-encoding');
    if (!isSuitable) return done(null, payload);
    const accepted = headers['accept-encoding']?.toLowerCase() ?? '';
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      if (Buffer.byteLength(payload) < minBytes) return done(null, payload);
      reply.header('vary', 'accept-encoding');
      const encoding = negotiate(accepted, ['br', 'gzip']);
      if (encoding === null) return done(null, payload);
      reply.header('content-encoding', encoding).removeHeader('content-length');
      return compress[encoding](payload, done);
    }
    reply.header('vary', 'accept-encoding');
    // Brotli would take a megabyte or more for as long as a slow client reads; gzip takes a quarter of one.
    if (negotiate(accepted, ['gzip']) === null) return done(null, payload);
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    // Fastify handles the errors, with which the pipeline ends the compressed stream, too.
    return done(
      null,
      pipeline(payload, createGzip({ flush: constants.Z_SYNC_FLUSH }), () => {}),
    );
  });
}
