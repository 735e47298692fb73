import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { IsObject, Type, type TSchema } from 'typebox';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts';
import { scopeOf, type TokenOperation } from '#contract/scopes.ts';
import { closed } from '#contract/validation/closed.ts';
import type { Actor, AuthenticateDisplay, DisplayActor, SessionActor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { readEntityTags } from './response/entity-tags.ts';
import { earlyRights, isLarge, type Authorize } from './request/early-rights.ts';
import { invalidToken } from '../base/credentials/invalid-token.ts';
import { hasBearer, insufficientScope, readBearer } from './request/bearer.ts';
import { readSessionToken } from './session-cookie.ts';
import type { LimitRequests } from './limits/request-limits.ts';
import { countPieces, type LimitWork, type Work } from './limits/work-limits.ts';
import { acceptLines } from './request/json-lines.ts';
import { allowSilence, acceptUploads, toUpload, type Upload } from './request/upload.ts';

/** The origin of a request, as far as it is known. */
export interface Client {
  readonly address: string;
  /** Whether a proxy that isn't trusted forwarded the request, by its headers: `address` may then be the proxy's. */
  readonly isForwarded: boolean;
  readonly userAgent: string | undefined;
}

/** A request that matches its contract. */
export interface Call<R extends Route> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly headers: HeadersOf<R>;
  readonly body: R['upload'] extends readonly string[] ? Upload : BodyOf<R>;
  readonly actor: R['access'] extends 'session'
    ? R['id'] extends TokenOperation
      ? Actor
      : SessionActor
    : R['access'] extends 'display'
      ? DisplayActor
      : undefined;
  readonly client: Client;
}

/**
 * A body that is already JSON text, because part of it is stored as such: parsing and serializing it again would be
 * most of the work of a read. The code that creates it must make sure that it matches the contract.
 */
export class JsonText<Value> {
  /** The type of the value, only for the compiler. */
  declare readonly value?: Value;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Like `JsonText`, in pieces, for large bodies. */
export class JsonStream<Value> {
  /** The type of the value, only for the compiler. */
  declare readonly value?: Value;
  readonly #pieces: Iterable<string | Uint8Array>;
  constructor(pieces: Iterable<string | Uint8Array>) {
    this.#pieces = pieces;
  }
  /** Returns the body. What it takes to produce it is counted as `work`. */
  open(work: Work | undefined): Readable {
    const pieces = work === undefined ? this.#pieces : countPieces(work, this.#pieces);
    return Readable.from(pieces, { objectMode: false });
  }
}

/** Returns the body that the contract describes, or a stream of another media type. It sets headers on `reply`. */
export type Handler<R extends Route> = (
  call: Call<R>,
  reply: FastifyReply,
) => Promise<
  R['mediaType'] extends string
    ? Readable
    :
        | ReplyOf<R>
        | JsonText<ReplyOf<R>>
        | JsonStream<ReplyOf<R>>
        | (R['alternatives'] extends readonly string[] ? Readable | Buffer : never)
>;

/** Registers the handler of one operation of the contract. */
export type Serve = <R extends Route>(route: R, handler: Handler<R>) => void;

/**
 * Returns the actor of a session token, or undefined if the session is not valid. `client` is the request, whose address is only read
 * where a policy restricts addresses.
 */
export type Authenticate = (
  token: string,
  client: { readonly ip: string },
) => Promise<SessionActor | undefined>;

/**
 * Returns the actor of a bearer token that was sent to the API, or undefined if the token is not valid there. `client` is the request, whose
 * address is only read when the use of the token is recorded, or a policy restricts addresses.
 */
export type AuthenticateToken = (
  token: string,
  client: { readonly ip: string },
  target: 'api',
) => Promise<Actor | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
    /** The wall display that sent it. */
    display: DisplayActor | undefined;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

/** The maximum body without a session: small, so that stuck requests use little memory. */
const maxPublicBodyBytes = 64 * 1024;

/** Throws `unauthenticated` if the actor of a session may no longer use it, which is only asked for before administrative actions. */
export type RequireStillValid = (actor: SessionActor) => Promise<void>;

/** Operations with these tags change what others may do, or export the organization. */
const administrativeTags: ReadonlySet<string> = new Set([
  'Invitations',
  'Members',
  'Organizations',
  'Server',
  'Single sign-on',
  'Tokens',
  'Webhooks',
]);

/**
 * Whether a session is checked with its identity provider first. The contract's operation never depends on whether the provider
 * responds.
 */
const isAdministrative = ({ id, tag, method, hasEffects }: Route): boolean =>
  (method !== 'GET' || hasEffects === true) &&
  administrativeTags.has(tag) &&
  id !== 'createOrUpdateSsoConfiguration';

/** Returns the function by which features register their operations on `server`. */
export function createServe(
  server: FastifyInstance,
  authenticate: Authenticate,
  authenticateToken?: AuthenticateToken,
  authenticateDisplay?: AuthenticateDisplay,
  limitRequests?: LimitRequests,
  requireStillValid?: RequireStillValid,
  authorize?: Authorize,
  limitWork?: LimitWork,
): Serve {
  /** A request with a bearer token is never authenticated by its cookie. */
  async function requireActor(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization, cookie } = request.headers;
    if (hasBearer(authorization)) {
      request.actor = await requireToken(readBearer(authorization), request, reply);
      return;
    }
    const token = readSessionToken(cookie);
    const actor = token === undefined ? undefined : await authenticate(token, request);
    if (actor === undefined) throw new AtriumError('unauthenticated', 'Sign in again to continue.');
    request.work = limitWork?.(actor);
    const { route } = request.routeOptions.config;
    if (route !== undefined && isAdministrative(route)) await requireStillValid?.(actor);
    request.actor = actor;
  }

  async function requireToken(token: string, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const actor = await authenticateToken?.(token, request, 'api');
    if (actor?.credential.kind !== 'token') throw invalidToken();
    // Only a valid token counts, so that nobody else can use up its requests.
    if (limitRequests !== undefined) reply.headers(limitRequests(actor));
    request.work = limitWork?.(actor);
    const scope = scopeOf(request.routeOptions.config.route?.id ?? '');
    if (scope === undefined || !actor.credential.scopes.includes(scope)) throw insufficientScope(scope);
    return actor;
  }

  /** Tokens are in a header, which no page of another site can send, and neither URLs nor logs contain. */
  async function requireDisplay({
    headers: { authorization = '' },
    ip,
  }: FastifyRequest): Promise<DisplayActor> {
    if (authenticateDisplay === undefined) throw new Error('The server has no wall displays.');
    return authenticateDisplay(readBearer(authorization), ip);
  }

  const hooks = {
    session: { onRequest: requireActor },
    display: {
      onRequest: async (request: FastifyRequest) => {
        request.display = await requireDisplay(request);
        request.work = limitWork?.(request.display.creator);
      },
    },
    public: {},
  } as const;

  return (route, handler) => {
    const { upload, lines } = route;
    if (upload === undefined && lines === undefined) return addRoute(server, route, handler);
    void server.register(async (scope) => {
      if (upload !== undefined) acceptUploads(scope, upload);
      if (lines !== undefined) acceptLines(scope, lines);
      addRoute(scope, route, handler);
    });
  };

  function addRoute<R extends Route>(scope: FastifyInstance, route: R, handler: Handler<R>): void {
    const checkRights = earlyRights(route, authorize);
    scope.route({
      method: route.method,
      url: toFastifyPath(route.path),
      schema: toFastifySchema(route),
      config: { route },
      ...(route.access !== 'session' && { bodyLimit: maxPublicBodyBytes }),
      ...(route.maxBodyBytes !== undefined && { bodyLimit: route.maxBodyBytes }),
      ...hooks[route.access],
      exposeHeadRoute: hasHead(route),
      preValidation: [
        ...(checkRights === undefined
          ? []
          : [
              async (request: FastifyRequest) => {
                if (isLarge(request)) await checkRights(request);
              },
            ]),
        // The last, so that validation is measured from here until the handler, or the response to what is invalid.
        ...(route.body === undefined ? [] : [beginWork]),
      ],
      attachValidation: checkRights !== undefined,
      handler: async (request, reply) => {
        const { work } = request;
        work?.end();
        if (request.validationError !== undefined) {
          // Who has no rights isn't told what a body lacks.
          await checkRights?.(request);
          throw request.validationError;
        }
        reply.code(route.status);
        if (route.mediaType !== undefined) {
          reply.type(`${route.mediaType}; charset=utf-8`);
          // By default, nginx would collect the response before it passes it on.
          reply.header('x-accel-buffering', 'no');
        }
        if (route.upload === undefined) allowSilence(reply, route.maxResponseMs);
        const turn = work?.enter();
        if (turn !== undefined) await turn;
        work?.begin();
        const handled = handler(toCall(request, reply, route), reply);
        work?.end();
        const body = await handled;
        // Until the response is serialized.
        work?.begin();
        if (route.location !== undefined) reply.header('location', locationOf(route.location, body));
        if (isUnchanged(request, reply)) return reply.code(304).removeHeader('content-type').send();
        if (body instanceof JsonText) return reply.type('application/json; charset=utf-8').send(body.text);
        if (body instanceof JsonStream) {
          const stream: JsonStream<unknown> = body;
          return reply.type('application/json; charset=utf-8').send(stream.open(work));
        }
        return body === undefined ? reply.send() : body;
      },
    });
  }
}

function beginWork({ work }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  work?.begin();
  done();
}

export const toFastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Whether a GET route also serves HEAD. Redirects start or complete a sign-in, which a HEAD request of a link preview must not
 * do. A stream would continue after the response to a HEAD request, and no client would be left to disconnect. Archives are streams,
 * which logs record and people are notified of.
 */
export const hasHead = ({ status, mediaType, hasEffects }: Route): boolean =>
  status !== 302 && mediaType === undefined && hasEffects === undefined;

/** Returns the URL of what was created, by the ID in the body of the response, which starts with it if it is text. */
function locationOf(template: string, body: unknown): string {
  const id =
    body instanceof JsonText
      ? /^\{"id":"([^"]*)"/.exec(body.text)?.[1]
      : (body as { readonly id: string }).id;
  if (id === undefined) throw new Error('The response to a create does not start with an ID.');
  return template.replace('{id}', id);
}

/** Whether the client already has this version (RFC 9110, section 13.1.2). */
function isUnchanged({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  const known = headers['if-none-match'];
  if (etag === undefined || known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.trim() === '*' || readEntityTags(known).some(({ tag }) => tag === etag);
}

/** Sound because Fastify has validated each part by the schema of its type, and `requireActor` ran. */
function toCall<R extends Route>(request: FastifyRequest, reply: FastifyReply, route: R): Call<R> {
  if (request.url.includes('%00')) refuseNul(request);
  const client: Client = {
    address: request.ip,
    isForwarded:
      request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress,
    userAgent: request.headers['user-agent'],
  };
  const { params, headers } = request;
  const actor = route.access === 'display' ? request.display : request.actor;
  const query = route.ignoresUnknown === undefined ? request.query : onlyDeclared(route.query, request.query);
  const body =
    route.upload !== undefined
      ? toUpload(request, reply, route)
      : route.ignoresUnknown === undefined
        ? request.body
        : onlyDeclared(route.body, request.body);
  return { params, query, headers, body, actor, client } as Call<R>;
}

/**
 * Returns only the members that a schema declares, for an operation that ignores all others: a handler may pass a whole body on, and a
 * member that it doesn't know must not take the place of another value, such as the address by which failed sign-ins are counted.
 */
function onlyDeclared(schema: TSchema | undefined, value: unknown): unknown {
  if (schema === undefined || !IsObject(schema) || typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const declared: Record<string, unknown> = {};
  for (const name in schema.properties) if (Object.hasOwn(members, name)) declared[name] = members[name];
  return declared;
}

/** Refuses U+0000 in a URL: no stored text contains it, and PostgreSQL can't even compare with it. */
function refuseNul({ params, query }: FastifyRequest): void {
  const hasNul = (value: unknown) => String(value).includes('\0');
  if (Object.values(params as object).some(hasNul)) throw notFound();
  const faults = Object.entries(query as object)
    .filter(([, value]) => hasNul(value))
    .map(([name]) => ({ pointer: `/${name}`, code: 'text', message: 'must not contain U+0000' }));
  if (faults.length > 0) throw new AtriumError('invalid_parameters', undefined, { faults });
}

/** An operation without a body, or without query parameters, refuses all members. Fastify validates an absent body as null. */
const noBody = Type.Unsafe({ type: ['object', 'null'], properties: {}, additionalProperties: false });
const noQuery = Type.Object({}, { additionalProperties: false });

function toFastifySchema(route: Route): FastifySchema {
  const { params, query = noQuery, headers, upload, reply } = route;
  const body = route.body ?? (route.method === 'GET' || upload !== undefined ? undefined : noBody);
  const isClosed = route.ignoresUnknown === undefined;
  return {
    ...(params && { params }),
    querystring: isClosed ? closed(query) : { ...query, additionalProperties: true },
    ...(headers && { headers }),
    ...(body && { body: isClosed ? closed(body) : body }),
    // The handler serializes a stream.
    ...(reply && !route.mediaType && { response: { [route.status]: reply } }),
  };
}
