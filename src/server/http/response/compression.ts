import { pipeline, type Readable } from 'node:stream';
import { callbackify, promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';

/** Below this size, compressing takes longer than sending. */
const minBytes = 2 * 1024;

/** JSON, problem documents, NDJSON and CSV. Not events, which are small, and not the types that are compressed already. */
const compressible = /^(application\/(problem\+)?json|application\/x-ndjson|text\/csv|text\/html)(;|$)/;

type Encoding = 'br' | 'gzip';

const compress: Readonly<Record<Encoding, (text: string | Buffer) => Promise<Buffer>>> = {
  br: (text) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    };
    return promisify(brotliCompress)(text, { params });
  },
  gzip: (text) => promisify(gzip)(text),
};

/** Buffers are sent to many clients, such as the OpenAPI document, so each is compressed only once. */
const compressed: Readonly<Record<Encoding, WeakMap<Buffer, Promise<Buffer>>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

async function compressOnce(text: string | Buffer, encoding: Encoding): Promise<Buffer> {
  if (typeof text === 'string') return compress[encoding](text);
  try {
    return await compressed[encoding].getOrInsertComputed(text, compress[encoding]);
  } catch (error) {
    compressed[encoding].delete(text);
    throw error;
  }
}

/**
 * Whether a page of another site requested the response. It could contain what that page sent besides secrets, which an
 * eavesdropper could then find out from the compressed length (BREACH).
 */
const isForOtherSite = (site: string | string[] | undefined): boolean =>
  site === 'cross-site' || site === 'same-site';

/**
 * Compresses the responses of all routes that are registered afterwards, as the client asks (RFC 9110, section 12.5.3). Each line
 * of a stream is sent at once.
 *
 * This is not `@fastify/compress`, which also compresses every type that `mime-db` considers compressible, such as a script of
 * 4 MB for anyone without a session, and takes a CSV file that begins with "HKD" for a deflated one, which no client can read.
 */
export function compressResponses(server: FastifyInstance): void {
  // A callback, since a promise for each response would cost as much as a query.
  server.addHook('onSend', ({ method, headers }, reply, payload: Payload, done) => {
    const accepted = headers['accept-encoding'];
    const isSuitable =
      accepted !== undefined &&
      method !== 'HEAD' &&
      compressible.test(String(reply.getHeader('content-type'))) &&
      !reply.hasHeader('content-encoding') &&
      !reply.hasHeader('content-range') &&
      !isForOtherSite(headers['sec-fetch-site']);
    if (!isSuitable || payload === null || payload === undefined) return done(null, payload);
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isText && Buffer.byteLength(payload) < minBytes) return done(null, payload);
    // Brotli would take a megabyte or more for as long as a slow client reads a stream; gzip takes a quarter of one.
    const encoding = negotiate(accepted.toLowerCase(), isText ? both : onlyGzip);
    reply.header('vary', 'accept-encoding');
    if (encoding === null) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    // The compressed bytes are others than those whose parts can be requested (RFC 9110, section 8.8.3.3).
    if (reply.hasHeader('accept-ranges'))
      reply.header('etag', `W/${String(reply.getHeader('etag'))}`).removeHeader('accept-ranges');
    if (isText) return callbackify(compressOnce)(payload, encoding, done);
    // Fastify handles the errors, with which the pipeline ends the compressed stream, too.
    done(
      null,
      pipeline(payload, createGzip({ flush: constants.Z_SYNC_FLUSH }), () => {}),
    );
  });
}

/** Undefined or null if a response has no body. */
type Payload = string | Buffer | Readable | null | undefined;

const both: Encoding[] = ['br', 'gzip'];
const onlyGzip: Encoding[] = ['gzip'];
