import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxIdLength } from '#contract/limits.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { AtriumError } from '../base/errors.ts';
import { noteRefusedPath } from './request/refused-path.ts';
import { replyWithProblem } from './response/problem.ts';
import { hasHead, toFastifyPath } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    isOtherMethod?: true;
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A path of the API. A segment is a text, or undefined for a parameter. */
interface ServedPath {
  readonly path: string;
  readonly segments: readonly (string | undefined)[];
  readonly served: ReadonlySet<string>;
}

/**
 * Leaves every request under /api that no route serves to `respondToOther`, before its body is read. A route for each method that
 * a path doesn't have would take as long to register as all others. GET and HEAD reach it through the web application.
 */
export function serveOtherMethods(server: FastifyInstance): void {
  server.setNotFoundHandler(respondToOther);
  const route = {
    config: { isOtherMethod: true },
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound(),
    handler: () => undefined,
  } as const;
  server.route({ ...route, method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], url: '/api/*' });
  for (const { path, methods } of mistakenPaths())
    server.route({ ...route, method: methods, url: toFastifyPath(path), exposeHeadRoute: false });
}

/**
 * Returns the methods that a path doesn't have, but another one whose parameter has the text of the path as its value: without a
 * route, GET /api/reports/preview would look for a report.
 */
function mistakenPaths(): { readonly path: string; readonly methods: string[] }[] {
  const paths = servedPaths();
  return paths.flatMap(({ path, segments, served }) => {
    const alike = paths.filter(
      (other) =>
        other.path !== path &&
        other.segments.length === segments.length &&
        other.segments.every((segment, index) => segment === undefined || segment === segments[index]),
    );
    const methods = new Set(alike.flatMap((other) => [...other.served])).difference(served);
    return methods.size === 0 ? [] : [{ path, methods: [...methods] }];
  });
}

/**
 * Responds to a request that no route serves: with a 405 if its path has other methods, with those to OPTIONS, and otherwise with a
 * 404 (RFC 9110, sections 9.3.7 and 15.5.6).
 */
function respondToOther(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const found = (methods as readonly string[]).includes(request.method) ? findPath(request.url) : undefined;
  if (found === undefined) return respondToNothing(request, reply);
  noteRefusedPath(request, found.path);
  const allow = methods.filter((method) => method === 'OPTIONS' || found.served.has(method)).join(', ');
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
  const headers = { allow };
  const notAllowed = new AtriumError('method_not_allowed', `Allowed here: ${allow}.`, { headers });
  return replyWithProblem(notAllowed, request, reply);
}

/** Responds to a request of which the server has neither the path nor the method: with a 404. */
export function respondToNothing(
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  return replyWithProblem(new AtriumError('not_found', 'No page or operation has this URL.'), request, reply);
}

/** Returns the path of the API that a URL has. */
function findPath(url: string): ServedPath | undefined {
  const sent = (url.split('?', 1)[0] ?? '').split('/');
  const matches = servedPaths().filter(
    ({ segments }) =>
      segments.length === sent.length &&
      segments.every((segment, index) => isSegment(sent[index] ?? '', segment)),
  );
  // Like the router, which prefers texts to parameters from the first segment on.
  return matches.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

function isSegment(sent: string, segment: string | undefined): boolean {
  return segment === undefined
    ? sent !== '' && sent.length <= maxIdLength
    : sent === segment || decoded(sent) === segment;
}

function decoded(sent: string): string | undefined {
  try {
    return decodeURI(sent);
  } catch {
    return undefined;
  }
}

/** A number that is smaller, the earlier the texts of a path are. */
const rankOf = ({ segments }: ServedPath): number =>
  Number(`0b${segments.map((segment) => (segment === undefined ? '1' : '0')).join('')}`);

let lazyPaths: readonly ServedPath[] | undefined;

function servedPaths(): readonly ServedPath[] {
  lazyPaths ??= [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
    path,
    segments: path.split('/').map((segment) => (segment.startsWith('{') ? undefined : segment)),
    served: new Set(ofPath.flatMap(methodsOf)),
  }));
  return lazyPaths;
}

const methodsOf = (route: Route): string[] =>
  route.method === 'GET' && hasHead(route) ? ['GET', 'HEAD'] : [route.method];
