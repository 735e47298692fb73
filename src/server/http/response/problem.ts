import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { problems, type ProblemCode } from '#contract/problem.ts';
import { AtriumError, toProblem } from '../../base/errors.ts';
import { findFileProblem } from '../../base/file-errors.ts';
import { errorDetails } from '../../logs/line.ts';
import { acceptsHtml } from '../request/origin-check.ts';

export const problemType = 'application/problem+json; charset=utf-8';

/** Long enough for a lock to be released, or for a proxy to see which servers are ready. */
const retryAfterSeconds = 5;

/**
 * The challenge of a 401 (RFC 9110, section 11.6.1). Browsers don't know the scheme, so they show no dialog.
 */
const challenge = `Cookie realm="Atrium", cookie-name="${sessionCookie}"`;

/** Sends the problem document of an error. Unexpected errors are logged, and sent as a 500. */
export async function replyWithProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const known = toAtriumError(error);
  const { status } = problems[known.code];
  // A 503 without a cause is expected: a server that is shutting down sends it to every probe.
  if (isDisconnect(error, reply)) request.log.debug('A client disconnected before a stream started');
  else if (status >= 500 && known.cause !== undefined)
    request.log.error({ err: errorDetails(known.cause) }, 'A request failed');
  const problem = { ...toProblem(known), requestId: request.id };
  reply.code(status);
  if (status === 429 || status === 503) reply.header('retry-after', String(retryAfterSeconds));
  if (known.code === 'unauthenticated')
    reply.header('www-authenticate', [challenge, 'Bearer realm="Atrium"']);
  reply.headers(known.headers);
  const { sendProblemPage } = request.server;
  if (sendProblemPage !== undefined && isForPerson(request)) return sendProblemPage(reply, problem);
  return reply.type(problemType).send(JSON.stringify(problem));
}

/** Whether a stream ended because its client has gone, as people do who leave a page that is loading. */
const isDisconnect = (error: unknown, { raw }: FastifyReply): boolean =>
  raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Whether a browser shows the response to a person: a page that would have redirected. */
const isForPerson = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.route?.status === 302 && acceptsHtml(headers);

/**
 * Returns an error with a code of the contract: those of Fastify have one by their kind, those of the file system are `unavailable`,
 * and others are `internal`.
 */
export function toAtriumError(error: unknown): AtriumError {
  if (error instanceof AtriumError) return error;
  const ofFile = findFileProblem(error);
  if (ofFile !== undefined) return ofFile;
  const code = isFastifyError(error) ? codeOfFastifyError(error) : 'internal';
  if (code === 'internal') {
    return new AtriumError(
      'internal',
      'Something went wrong on the server. The operator can find details in the log by the request ID.',
      { cause: error },
    );
  }
  return new AtriumError(code, undefined, { cause: error });
}

/** Includes errors while Fastify reads a body, such as a client that disconnects: they have the status 400. */
const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  (error.code.startsWith('FST_') || ('statusCode' in error && error.statusCode === 400));

/** Returns the code for a request that Fastify itself refuses, before any handler runs. */
function codeOfFastifyError({ code, statusCode }: FastifyError): ProblemCode {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupported_media_type';
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'body_too_large';
    case 'FST_ERR_REOPENED_CLOSE_SERVER':
      return 'unavailable';
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? 'malformed_request'
        : 'internal';
  }
}
