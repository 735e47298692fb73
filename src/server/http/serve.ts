import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { IsObject, type TSchema } from 'typebox';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, ReplyOf, Route } from '#contract/route.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { readEntityTags } from './response/entity-tags.ts';
import { readSessionToken } from './session-cookie.ts';
import { allowAnswer, takeUploads, toUpload, type Upload } from './request/upload.ts';

/** Where a request comes from, as far as it can be told. */
export interface Client {
  readonly address: string;
  /** Whether a proxy that isn't trusted forwarded the request, by its headers: `address` may then be the proxy's. */
  readonly isForwarded: boolean;
  readonly userAgent: string | undefined;
}

/** A request that fits its contract. */
export interface Call<R extends Route> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly headers: HeadersOf<R>;
  readonly body: R['upload'] extends readonly string[] ? Upload : BodyOf<R>;
  readonly actor: R['access'] extends 'session' ? Actor : undefined;
  readonly client: Client;
}

/**
 * A body that is JSON text already, of which a part was stored as such: parsing it only to write it again is most of
 * the work of a read. Its author answers for its fitting the contract, as the serializer otherwise does.
 */
export class JsonText<Value> {
  /** Only for the compiler: what the text stands for. */
  declare readonly value?: Value;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The same piece by piece, for what is large. */
export class JsonStream<Value> {
  /** Only for the compiler: what the text stands for. */
  declare readonly value?: Value;
  readonly body: Readable;
  constructor(pieces: Iterable<string | Uint8Array>) {
    this.body = Readable.from(pieces, { objectMode: false });
  }
}

/** Returns what the contract promises as the body, or a stream of another media type; headers go on `reply`. */
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
        | (R['alternatives'] extends readonly string[] ? Readable : never)
>;

/** Registers the handler of one operation of the contract. */
export type Serve = <R extends Route>(route: R, handler: Handler<R>) => void;

/** Returns who a session token stands for, or undefined when it is no valid session's. */
export type Authenticate = (token: string) => Promise<Actor | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

/** What anybody may send without a session is small, and so is what a stuck request of theirs holds. */
const maxPublicBodyBytes = 64 * 1024;

/** Returns how features register their operations on `server`. */
export function createServe(server: FastifyInstance, authenticate: Authenticate): Serve {
  async function requireSession(request: FastifyRequest): Promise<void> {
    const token = readSessionToken(request.headers.cookie);
    request.actor = token === undefined ? undefined : await authenticate(token);
    if (request.actor === undefined)
      throw new AtriumError('unauthenticated', 'Sign in, and send the session cookie.');
  }

  return (route, handler) => {
    const { upload } = route;
    if (upload === undefined) return addRoute(server, route, handler);
    void server.register(async (scope) => {
      takeUploads(scope, upload);
      addRoute(scope, route, handler);
    });
  };

  function addRoute<R extends Route>(scope: FastifyInstance, route: R, handler: Handler<R>): void {
    scope.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: toFastifySchema(route),
      config: { route },
      ...(route.access === 'public' && { bodyLimit: maxPublicBodyBytes }),
      ...(route.maxBodyBytes !== undefined && { bodyLimit: route.maxBodyBytes }),
      ...(route.access === 'session' && { onRequest: requireSession }),
      // What redirects begins or completes a sign-in: a HEAD, as a preview of a link sends it, must not.
      // And a stream is work that goes on behind the answer to a HEAD, for nobody: no client is left that could leave.
      ...((route.status === 302 || route.mediaType !== undefined) && { exposeHeadRoute: false }),
      handler: async (request, reply) => {
        reply.code(route.status);
        if (route.mediaType !== undefined) reply.type(`${route.mediaType}; charset=utf-8`);
        if (route.upload === undefined) allowAnswer(reply, route.maxResponseMs);
        const body = await handler(toCall(request, reply, route), reply);
        if (isUnchanged(request, reply)) return reply.code(304).removeHeader('content-type').send();
        if (body instanceof JsonText) return reply.type('application/json; charset=utf-8').send(body.text);
        if (body instanceof JsonStream) return reply.type('application/json; charset=utf-8').send(body.body);
        return body === undefined ? reply.send() : body;
      },
    });
  }
}

/** Whether the client has the version already that it would be sent (RFC 9110, section 13.1.2). */
function isUnchanged({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  const known = headers['if-none-match'];
  if (etag === undefined || known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.trim() === '*' || readEntityTags(known).some(({ tag }) => tag === etag);
}

/** Sound because Fastify has validated each part by the schema that the types come from, and `requireSession` ran. */
function toCall<R extends Route>(request: FastifyRequest, reply: FastifyReply, route: R): Call<R> {
  if (request.url.includes('%00')) refuseNul(request);
  const client: Client = {
    address: request.ip,
    isForwarded:
      request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress,
    userAgent: request.headers['user-agent'],
  };
  const { params, headers, actor } = request;
  const query = declaredMembers(route.query, request.query);
  const body =
    route.upload === undefined ? declaredMembers(route.body, request.body) : toUpload(request, reply, route);
  return { params, query, headers, body, actor, client } as Call<R>;
}

/**
 * Returns only the members that a schema declares: a handler may pass a whole body on, and a member that it doesn't
 * know
 * must not take the place of another value, such as the address by which failed sign-ins are counted.
 */
function declaredMembers(schema: TSchema | undefined, value: unknown): unknown {
  if (schema === undefined || !IsObject(schema) || typeof value !== 'object' || value === null) return value;
  // Where any name is declared, such as the filters of a dashboard.
  if ('additionalProperties' in schema && typeof schema.additionalProperties === 'object') return value;
  const members = value as Readonly<Record<string, unknown>>;
  const declared: Record<string, unknown> = {};
  for (const name in schema.properties) if (Object.hasOwn(members, name)) declared[name] = members[name];
  return declared;
}

/** U+0000 in an address is in no text that a database keeps, and PostgreSQL does not even compare with it. */
function refuseNul({ params, query }: FastifyRequest): void {
  const hasNul = (value: unknown) => String(value).includes('\0');
  if (Object.values(params as object).some(hasNul)) throw notFound();
  const faults = Object.entries(query as object)
    .filter(([, value]) => hasNul(value))
    .map(([name]) => ({ pointer: `/${name}`, code: 'text', message: 'must not hold U+0000' }));
  if (faults.length > 0) throw new AtriumError('invalid_parameters', undefined, { faults });
}

function toFastifySchema(route: Route): FastifySchema {
  return {
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.headers && { headers: route.headers }),
    ...(route.body && { body: route.body }),
    // A stream is written by its handler.
    ...(route.reply && !route.mediaType && { response: { [route.status]: route.reply } }),
  };
}
