import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problems, type ProblemCode } from '#contract/problem.ts';
import type { Actor } from '../base/actor.ts';
import { keyOfOrganization } from '../base/tenant.ts';
import { minutesMs } from '../base/clock.ts';
import { enterTurn } from '../base/turns.ts';
import type { AtriumError } from '../base/errors.ts';
import { whileSilent } from '../http/limits/idle-connections.ts';
import { createRequestLimits } from '../http/limits/request-limits.ts';
import { invalidToken } from '../base/credentials/invalid-token.ts';
import { hasBearer, insufficientScope, readBearer } from '../http/request/bearer.ts';
import { parseJsonBody } from '../http/request/json-body.ts';
import { readEntityTags } from '../http/response/entity-tags.ts';
import { toAtriumError } from '../http/response/problem.ts';
import { requireOpen } from '../organizations/authorization.ts';
import type { ScimDependencies } from './dependencies.ts';
import { errorBody, ScimError, type ScimType } from './protocol/errors.ts';
import { createTurnsOfOrganizations, type TakeTurn } from './turns.ts';

export interface ScimRoutesDependencies extends ScimDependencies {
  readonly authenticate: (
    token: string,
    client: { readonly ip: string },
    target: 'scim',
  ) => Promise<Actor | undefined>;
  /** How many requests an account may send in a minute elsewhere. */
  readonly requestsPerMinute: number;
}

/** Entra needs 25 a second, and first sends everyone at once. */
const minRequestsPerMinute = 6_000;

/** How long a client may take to read a response before its connection is closed, so that the next request has its turn. */
const maxSendMs = minutesMs(1);

const base = '/scim/v2/:organizationId';
/** Endpoints of the standard that this server doesn't support, for which it must return 501 (RFC 7644, sections 3.11 and 3.12). */
const unsupported = /^\/scim\/v2\/[^/]+\/(Me|Bulk|(Users\/|Groups\/)?\.search)(\/|\?|$)/;

/** Every operation, with the function that handles it. */
const operations = [
  ['GET', '/ServiceProviderConfig', 'getServiceProviderConfig'],
  ['GET', '/ResourceTypes', 'listResourceTypes'],
  ['GET', '/ResourceTypes/:id', 'getResourceType'],
  ['GET', '/Schemas', 'listSchemas'],
  ['GET', '/Schemas/:id', 'getSchema'],
  ['GET', '/Users', 'listUsers'],
  ['POST', '/Users', 'createUser'],
  ['GET', '/Users/:id', 'getUser'],
  ['PUT', '/Users/:id', 'replaceUser'],
  ['PATCH', '/Users/:id', 'patchUser'],
  ['DELETE', '/Users/:id', 'deleteUser'],
  ['GET', '/Groups', 'listGroups'],
  ['POST', '/Groups', 'createScimGroup'],
  ['GET', '/Groups/:id', 'getScimGroup'],
  ['PUT', '/Groups/:id', 'replaceGroup'],
  ['PATCH', '/Groups/:id', 'patchGroup'],
  ['DELETE', '/Groups/:id', 'deleteScimGroup'],
] as const;

/**
 * Serves SCIM 2.0 (RFC 7644), by which a directory provisions the people and groups of one organization. What handles the
 * requests is loaded when it is first used. Cookies are never read here.
 */
export function serveScim(server: FastifyInstance, dependencies: ScimRoutesDependencies): void {
  const { authenticate, clock, requestsPerMinute } = dependencies;
  // Apart from other programs, so that neither takes the requests of the other.
  const limitRequests = createRequestLimits({
    clock,
    perMinute: Math.max(requestsPerMinute, minRequestsPerMinute),
  });

  // Changes lock the organization, so more at once would only wait with connections that others need.
  const takeTurnToChange = createTurnsOfOrganizations(1);
  const takeTurnToList = createTurnsOfOrganizations(2);

  async function requireActor(request: FastifyRequest): Promise<Actor> {
    const { authorization } = request.headers;
    const actor = hasBearer(authorization)
      ? await authenticate(readBearer(authorization), request, 'scim')
      : undefined;
    if (actor === undefined) throw invalidToken();
    return actor;
  }

  async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const actor = await requireActor(request);
    request.actor = actor;
    reply.headers(limitRequests(actor));
    const { credential } = actor;
    if (credential.kind !== 'token' || !credential.scopes.includes('scim')) throw insufficientScope('scim');
    const { organizationId } = request.params as { organizationId: string };
    requireOpen(actor, { requireSso: false }, organizationId);
  }

  /**
   * Runs work when it is the turn of an organization. The turn lasts until the response is sent, so that clients that read slowly
   * can't fill the memory with responses.
   */
  async function inTurn<Result>(
    takeTurn: TakeTurn,
    organizationId: string,
    reply: FastifyReply,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { socket } = reply.request.raw;
    const endTurn = await takeTurn(keyOfOrganization(organizationId));
    try {
      if (socket.destroyed) throw new ScimError(503, undefined, 'The client has disconnected.');
      // The token may have been revoked meanwhile.
      await requireActor(reply.request);
      const result = await work();
      // Also for a response that waits for one before it on the same connection, which may wait for this turn.
      const deadline = setTimeout(() => socket.destroy(), maxSendMs);
      finished(reply.raw, () => {
        clearTimeout(deadline);
        endTurn();
      });
      return result;
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    for (const type of ['application/scim+json', 'application/json'])
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_, bytes: Buffer, done) => {
        try {
          done(null, bytes.length === 0 ? undefined : parseJsonBody(bytes));
        } catch (error) {
          done(error as AtriumError);
        }
      });
    scope.setErrorHandler(replyWithError(scope.errorHandler));
    for (const [method, path, name] of operations) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const { actor } = request;
        if (actor === undefined) throw new Error('Every request here is authenticated.');
        const handlers = await import('./handlers.ts');
        const { organizationId, id = '' } = request.params as { organizationId: string; id?: string };
        const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch = '' } = request.headers;
        const call = {
          actor,
          organizationId,
          receivedAt: clock(),
          id,
          query: textsOf(request.query),
          ifMatch: ifMatch === undefined || ifMatch.trim() === '*' ? 'any' : tagsIn(ifMatch),
          ifNoneMatch: tagsIn(ifNoneMatch),
          body: request.body,
        } as const;
        const work = async () => {
          await enterTurn(keyOfOrganization(organizationId));
          return handlers[name](dependencies, call);
        };
        const takeTurn = method === 'GET' ? takeTurnToList : takeTurnToChange;
        const isSmall = method === 'GET' && !handlers.isLargeRead(name, call);
        const { status, headers, body } = await (isSmall
          ? work()
          : whileSilent(reply, () => inTurn(takeTurn, organizationId, reply, work)));
        reply.headers(headers ?? {});
        return body === undefined ? reply.code(status).send() : send(reply, status, body);
      };
      // Microsoft's reference code finds people at `/Users/?filter=…`.
      for (const url of path.endsWith('/:id') ? [base + path] : [base + path, `${base}${path}/`])
        scope.route({ method, url, exposeHeadRoute: false, onRequest: authorize, handler });
    }
    // Otherwise, unknown paths would return the page of the web application with 200.
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/scim/*',
      onRequest: async ({ url }) => {
        if (unsupported.test(url))
          throw new ScimError(501, undefined, 'This server doesn’t support /Me, /Bulk or /.search.');
        throw new ScimError(404, undefined, 'There is no such endpoint, or it doesn’t support this method.');
      },
      handler: () => undefined,
    });
  });
}

const tagsIn = (header: string): string[] => readEntityTags(header).map(({ tag }) => tag);

/** Returns the parameters of a query. One that is sent twice is refused, since programs differ in which one counts. */
function textsOf(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      throw new ScimError(400, 'invalidSyntax', `The parameter ${name} must be sent once.`);
    }),
  );
}

/** The kinds of faults of the errors that are not those of this standard. */
const scimTypes: Partial<Readonly<Record<ProblemCode, ScimType>>> = {
  malformed_json: 'invalidSyntax',
  malformed_request: 'invalidSyntax',
  invalid_body: 'invalidValue',
};

/** Sends errors in the form of the standard. Unexpected ones are logged and sent as everywhere. */
const replyWithError =
  (errorHandler: FastifyInstance['errorHandler']): FastifyInstance['errorHandler'] =>
  (error, request, reply) => {
    if (error instanceof ScimError) {
      const { status, scimType, message } = error;
      return send(reply, status, errorBody(status, scimType, message));
    }
    const known = toAtriumError(error);
    const { status } = problems[known.code];
    if (status >= 500) return errorHandler(error, request, reply);
    reply.headers(known.headers);
    return send(reply, status, errorBody(status, scimTypes[known.code], known.message));
  };

const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type('application/scim+json; charset=utf-8').send(JSON.stringify(body));
