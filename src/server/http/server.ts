import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import buildSerializer from 'fast-json-stringify';
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  type FastifySerializerCompiler,
  type FastifyServerOptions,
} from 'fastify';
import type { TSchema } from 'typebox';
import { AtriumError } from '../base/errors.ts';
import { countRepeats } from '../logs/repeats.ts';
import { finishAfterResponses } from './response/after-response.ts';
import { parseInTurn, type Work } from './limits/work-limits.ts';
import { limitBodies } from './request/body-deadline.ts';
import { onFirstUse } from './first-use.ts';
import { continueLate } from './request/continue.ts';
import { parseJsonBody } from './request/json-body.ts';
import { respondToMalformedRequest } from './response/malformed-request.ts';
import { hasBearer } from './request/bearer.ts';
import { isCrossSite } from './request/origin-check.ts';
import { replyWithProblem } from './response/problem.ts';
import { maxSilenceMs } from './limits/idle-connections.ts';
import { cutSlowReaders } from './limits/slow-readers.ts';
import { logWhenClosed, type RequestLog } from './request-log.ts';
import { lazyLogger } from './request-logger.ts';
import { readTraceparent } from './request/traceparent.ts';
import { maxHeaderLength, maxIdLength } from '#contract/limits.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';

const maxBodyBytes = 1024 * 1024;
/** The time for the headers, and again for the body. */
const requestTimeoutMs = 60_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if nobody is signed in, or if the processor time isn't counted. */
    work: Work | undefined;
  }
}

/** The level and the destination of the log; false for none. */
export type LoggerOptions = Exclude<FastifyServerOptions['logger'], boolean | undefined> | false;

/** Records the traces of requests. */
export interface RequestTracing {
  /** Begins the span of a request, and returns the id of its trace. */
  begin(request: IncomingMessage): string;
  endWhenClosed(request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * Returns a server without routes that responds to every request, even a malformed one, with JSON: bodies are strict
 * JSON of at most 1 MiB, errors are problem documents, and unsafe requests from other sites are refused.
 */
export function createServer(options: {
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly logger: LoggerOptions;
  /** Whether each request is logged at first. */
  readonly logsRequests?: boolean;
  readonly tracing?: RequestTracing | undefined;
}): FastifyInstance {
  const headers = headersFor(options.publicUrl);
  const requestLog: RequestLog = { isOn: options.logsRequests ?? false };
  const repeats = countRepeats();
  const server: FastifyInstance = Fastify({
    logger: options.logger && { ...options.logger, hooks: { logMethod: repeats.logMethod } },
    logController: new QuietLogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: maxBodyBytes,
    // Random, so that nobody can guess the id of another request. Node caches the random bytes for many ids.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    childLoggerFactory: (logger, bindings, childOptions, raw) => {
      const traceId = options.tracing?.begin(raw) ?? readTraceparent(raw.headers.traceparent)?.traceId;
      return lazyLogger(() =>
        logger.child(traceId === undefined ? bindings : { ...bindings, traceId }, childOptions),
      );
    },
    clientErrorHandler: (error, socket) => {
      const refused = respondToMalformedRequest(error, socket, headers);
      if (requestLog.isOn && refused !== undefined) server.log.info(refused, 'Request');
    },
    frameworkErrors: (error, request, reply) => {
      if (requestLog.isOn) logWhenClosed(request, reply);
      options.tracing?.endWhenClosed(request, reply);
      void replyWithProblem(error, request, reply.headers({ ...headers, 'x-request-id': request.id }));
    },
    // No limit for the whole request: `limitBodies` limits it, except for uploads.
    requestTimeout: 0,
    connectionTimeout: maxSilenceMs,
    // By default, Node and Fastify respond without a problem document to a request without Host, or while the server
    // closes. With these settings, both reach our own code.
    http: { requireHostHeader: false, headersTimeout: requestTimeoutMs, maxHeaderSize: maxHeaderLength },
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxIdLength },
  });

  repeats.reportTo(server.log);
  server.addHook('onClose', async () => repeats.flush());
  limitBodies(server.server, requestTimeoutMs);
  cutSlowReaders(server.server);
  continueLate(server);
  server.decorateRequest('actor', undefined);
  server.decorateRequest('display', undefined);
  server.decorateRequest('work', undefined);
  server.decorate('sendProblemPage', undefined);
  server.decorate('requestLog', requestLog);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ work }, bytes: Buffer, done) => {
    parseInTurn(work, bytes, () => (bytes.length === 0 ? undefined : parseJsonBody(bytes)), done);
  });
  server.setValidatorCompiler(compileValidator);
  server.setSerializerCompiler(compileSerializer);
  server.setErrorHandler(replyWithProblem);
  server.addHook('onRequest', (request, reply, done) => {
    if (requestLog.isOn) logWhenClosed(request, reply);
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    done(findRefusal(request, options.publicUrl));
  });
  // Before a response is compressed, which other threads do.
  server.addHook('onSend', ({ work }, _reply, payload: unknown, done) => {
    work?.end(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0);
    done(null, payload);
  });
  server.addHook('onClose', ({ server: http }) => finishAfterResponses(http));
  return server;
}

/** Returns why a request is refused regardless of its route, or undefined. */
function findRefusal(
  { method, headers, raw, routeOptions }: FastifyRequest,
  publicUrl: string,
): AtriumError | undefined {
  // RFC 9112, section 3.2.
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new AtriumError('malformed_request', 'The header field Host is missing.');
  }
  if (isHostRepeated(raw)) {
    return new AtriumError('malformed_request', 'The header field Host was sent more than once.');
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    // RFC 9110, section 15.5.16.
    return new AtriumError(
      'unsupported_media_type',
      'The body is compressed. Send it without Content-Encoding.',
      {
        headers: { 'accept-encoding': 'identity' },
      },
    );
  }
  // No page of another site can send this header, and the cookie isn't read then.
  const isByToken = routeOptions.config.route?.access === 'session' && hasBearer(headers.authorization);
  if (!isByToken && isCrossSite(method, headers, publicUrl)) {
    return new AtriumError('cross_site_request', `Only pages of ${publicUrl} can send this request.`);
  }
  return undefined;
}

/** Node drops all but the first, so a proxy that uses the last would see another host than this server. */
function isHostRepeated({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** Doesn't log that a client disconnected during a stream, as people do who close a page. */
class QuietLogController extends LogController {
  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest, reply: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE')
      request.log.debug('A client disconnected during a stream');
    else super.streamError(error, request, reply);
  }
}

/**
 * Returns the headers of every response. Pages set their own policy; everything else is data that no browser should
 * run, frame or cache.
 */
const headersFor = (publicUrl: string): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // RFC 6797. A year, as the browsers' preload lists require. Without subdomains, which may belong to other people.
  ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

const faultFinderOf = onFirstUse(faultFinder);
const serializerOf = onFirstUse<unknown, string>((schema) => buildSerializer(schema));

const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema }) => serializerOf(schema);

const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const findFaults = faultFinderOf(schema);
  const code = httpPart === 'body' ? 'invalid_body' : 'invalid_parameters';
  return (value) => {
    const faults = findFaults(value);
    return faults.length === 0 ? true : { error: new AtriumError(code, undefined, { faults }) };
  };
};
