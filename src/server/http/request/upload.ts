import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AtriumError } from '../../base/errors.ts';
import { liftBodyDeadline } from './body-deadline.ts';

/** A file that is sent as the body of a request. */
export interface Upload {
  /** One of those that the route takes. */
  readonly mediaType: string;
  /** As the client says, or undefined. */
  readonly lengthBytes: number | undefined;
  /** Its bytes, to be read once. Throws `malformed_request` when the client leaves before the end. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Makes `scope` hand bodies on as they come in, without a limit of its own, and refuse others with the types it takes.
 */
export function takeUploads(scope: FastifyInstance, mediaTypes: readonly string[]): void {
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
    chunks: readChunks(request, () => allowAnswer(reply, maxResponseMs)),
  };
}

/** Lets the connection be silent for so long, while the answer is made. */
export function allowAnswer({ raw }: FastifyReply, maxResponseMs: number | undefined): void {
  // A request that is injected has no socket.
  if (maxResponseMs !== undefined && raw.socket?.remoteAddress !== undefined && 'setTimeout' in raw.socket)
    raw.setTimeout(maxResponseMs);
}

/** A silent client still ends at the timeout of the connection. */
async function* readChunks(
  request: FastifyRequest,
  onEnd: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Sound because `takeUploads` hands on the stream; without a body there is none.
  const stream = request.body as Readable | undefined;
  const limitAgain = liftBodyDeadline(request.raw);
  try {
    // Not destroyed when it is left: that would end the connection before the answer.
    if (stream !== undefined) yield* stream.iterator({ destroyOnReturn: false });
    onEnd();
  } catch (cause) {
    throw new AtriumError('malformed_request', 'The file broke off before its end.', { cause });
  } finally {
    limitAgain();
  }
}
