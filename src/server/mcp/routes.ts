import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { ProblemCode } from '#contract/problem.ts';
import type { TokenScope } from '#contract/scopes.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { whileSilent } from '../http/limits/idle-connections.ts';
import type { LimitRequests } from '../http/limits/request-limits.ts';
import type { LimitWork } from '../http/limits/work-limits.ts';
import { invalidToken } from '../base/credentials/invalid-token.ts';
import { hasBearer, insufficientScope, readBearer } from '../http/request/bearer.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import type { ToolCall, ToolDependencies } from './tool.ts';

export interface McpDependencies extends ToolDependencies {
  readonly authenticate: (
    token: string,
    client: { readonly ip: string },
    target: 'mcp',
  ) => Promise<Actor | undefined>;
  readonly limitRequests: LimitRequests;
  readonly limitWork: LimitWork;
  readonly version: string;
}

const path = '/mcp';
const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The headers that the protocol defines. None is passed on that could authenticate anything. */
const passedOn = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Serves the tools for language models (MCP, streamable HTTP). It is loaded when it is first used. */
export function serveMcp(server: FastifyInstance, dependencies: McpDependencies): void {
  const { authenticate, limitRequests, limitWork, publicUrl, version } = dependencies;
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${path}"`;

  /** Cookies are never read here: a page that someone else has written can't use the session of its reader. */
  async function requireActor(request: FastifyRequest): Promise<Actor> {
    const { authorization } = request.headers;
    if (!hasBearer(authorization)) {
      throw new AtriumError('unauthenticated', 'Send a token as `Authorization: Bearer`.', {
        headers: { 'www-authenticate': `Bearer realm="Atrium", ${metadata}` },
      });
    }
    try {
      const actor = await authenticate(readBearer(authorization), request, 'mcp');
      if (actor !== undefined) return actor;
    } catch (error) {
      throw error instanceof AtriumError && error.code === 'unauthenticated' ? withMetadata(error) : error;
    }
    throw withMetadata(invalidToken());
  }

  /** Adds the URL of the metadata, which names the authorization server (RFC 9728, section 5.1). */
  function withMetadata(error: AtriumError): AtriumError {
    const challenge = `${error.headers['www-authenticate']}, ${metadata}`;
    return new AtriumError(error.code, error.message, { headers: { 'www-authenticate': challenge } });
  }

  function requireScope({ credential }: Actor, scope: TokenScope): void {
    if (credential.kind === 'token' && credential.scopes.includes(scope)) return;
    throw withMetadata(insufficientScope(scope));
  }

  async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const actor = await requireActor(request);
    request.actor = actor;
    reply.headers(limitRequests(actor));
    request.work = limitWork(actor);
    requireScope(actor, 'read');
  }

  server.post(path, { onRequest: authorize, errorHandler: asJsonRpc(server) }, async (request, reply) => {
    const { body: message, actor, work } = request;
    if (actor === undefined || actor.scope === 'all') throw new Error('A token is for one organization.');
    // A batch would count as one request, and no current revision of the protocol has them.
    if (Array.isArray(message)) throw new AtriumError('malformed_request', 'Send one message at a time.');
    const { respond, scopeOfMessage } = await import('./protocol.ts');
    requireScope(actor, scopeOfMessage(message));
    await work?.enter();
    const call: ToolCall = {
      actor,
      organizationId: actor.scope.organizationId,
      signal: clientSignal(reply),
      onFailure: (error) => request.log.error({ err: error }, 'A tool failed'),
    };
    const mcpRequest = {
      url: publicUrl + path,
      headers: headersOf(request),
      message,
      prefersEvents: prefersEvents(request),
    };
    const response = await whileSilent(reply, () =>
      respond(dependencies, call, mcpRequest, {
        version,
        onRefusal: (error) => request.log.debug({ err: error }, 'A message was refused'),
      }),
    );
    return send(reply, response);
  });

  server.route({
    method: otherMethods,
    url: path,
    config: { isOtherMethod: true },
    onRequest: async ({ method }, reply) => {
      const allow = 'POST, OPTIONS';
      if (method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
      throw new AtriumError('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } });
    },
    handler: () => undefined,
  });
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** Whether a client prefers a stream of events. It accepts both, as the protocol requires; if it likes them alike, the first counts. */
const prefersEvents = ({ headers }: FastifyRequest): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/event-stream']) === 'text/event-stream';

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const { status, headers, body } = response;
  reply.code(status);
  const type = headers.get('content-type');
  if (type === null || body === null) return reply.send();
  reply.type(type);
  if (!type.startsWith('text/event-stream')) return reply.send(await response.text());
  // By default, nginx would collect the response before it passes it on.
  reply.header('x-accel-buffering', 'no');
  return reply.send(Readable.from(events(body), { objectMode: false }));
}

/** Begins with a comment, since Node sends the header with the first bytes, and a proxy might not wait for the result. */
async function* events(body: NonNullable<Response['body']>): AsyncGenerator<string | Uint8Array> {
  yield ':\n\n';
  const reader = body.getReader();
  try {
    for (;;) {
      const read = await reader.read();
      if (read.done) return;
      // Sound because the SDK writes bytes.
      yield read.value as Uint8Array;
    }
  } finally {
    await reader.cancel();
  }
}

/** Sends the error of a message that can't be read in the form of JSON-RPC; all other errors are problems, as everywhere. */
const asJsonRpc =
  ({ errorHandler }: FastifyInstance): FastifyInstance['errorHandler'] =>
  (error, request, reply) => {
    const { code, message } = error instanceof AtriumError ? error : { code: undefined, message: '' };
    const jsonRpcCode = code && jsonRpcCodes[code];
    if (jsonRpcCode === undefined) return errorHandler(error, request, reply);
    return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: jsonRpcCode, message } });
  };

/** The codes for a body that is not JSON, and for one that is not a message (JSON-RPC 2.0, section 5.1). */
const jsonRpcCodes: Partial<Readonly<Record<ProblemCode, number>>> = {
  malformed_json: -32_700,
  invalid_body: -32_600,
  malformed_request: -32_600,
};
