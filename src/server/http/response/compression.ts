import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Below this size, compressing takes longer than sending. */
const minBytes = 2 * 1024;

/** JSON, problem documents, NDJSON and CSV. Not events, which are small, and not the types that are compressed already. */
const compressible = /^(application\/(problem\+)?json|application\/x-ndjson|text\/csv|text\/html)(;|$)/;

/**
 * Compresses the responses of all routes that are registered afterwards, as the client asks (RFC 9110, section 12.5.3). Each line
 * of a stream is sent at once.
 */
export async function compressResponses(server: FastifyInstance): Promise<void> {
  await server.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: minBytes,
    customTypes: compressible,
    zlibOptions: { flush: constants.Z_SYNC_FLUSH },
    brotliOptions: {
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    },
  });
}
