import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AtriumError } from '../../base/errors.ts';
import { liftBodyDeadline } from './body-deadline.ts';

/** A file that is sent as the body of a request. */
export interface Upload {
  /** One of the media types of the route. */
  readonly mediaType: string;
  /** The `Content-Length`, or undefined. */
  readonly lengthBytes: number | undefined;
  /** Its bytes, which can be read once. Throws `malformed_request` if the client disconnects before the end. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Makes `scope` pass bodies on as streams, without a size limit, and refuse other media types.
 */
export function acceptUploads(scope: FastifyInstance, mediaTypes: readonly string[]): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...mediaTypes], (_request, payload, done) => done(null, payload));
  scope.addContentTypeParser('*', (_request, _payload, done) => done(otherType(mediaTypes)));
}

const otherType = (mediaTypes: readonly string[]): AtriumError =>
  new AtriumError('unsupported_media_type', `The file must be one of ${mediaTypes.join(', ')}.`);

/** Returns the file of a request. Throws `unsupported_media_type`. */
export function toUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  { upload = [], maxResponseMs }: { readonly upload?: readonly string[]; readonly maxResponseMs?: number },
): Upload {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (!upload.includes(mediaType.trim())) throw otherType(upload);
  const length = request.headers['content-length'];
  return {
    mediaType: mediaType.trim(),
    lengthBytes: length === undefined ? undefined : Number(length),
    chunks: readChunks(request, () => allowSilence(reply, maxResponseMs)),
  };
}

/** Allows the connection to be silent for this long while the response is prepared. */
export function allowSilence({ raw }: FastifyReply, maxResponseMs: number | undefined): void {
  // An injected request has no socket.
  if (maxResponseMs !== undefined && raw.socket?.remoteAddress !== undefined && 'setTimeout' in raw.socket)
    raw.setTimeout(maxResponseMs);
}

/** A client that sends nothing is still disconnected after the connection's timeout. */
async function* readChunks(
  request: FastifyRequest,
  onEnd: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Sound because `acceptUploads` passes the stream on; without a body there is none.
  const stream = request.body as Readable | undefined;
  const limitAgain = liftBodyDeadline(request.raw);
  try {
    // Not destroyed when reading stops early, which would close the connection before the response.
    if (stream !== undefined) yield* stream.iterator({ destroyOnReturn: false });
    onEnd();
  } catch (cause) {
    throw new AtriumError('malformed_request', 'The upload was interrupted before the end of the file.', {
      cause,
    });
  } finally {
    limitAgain();
  }
}
