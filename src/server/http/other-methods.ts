import type { FastifyInstance } from 'fastify';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { AtriumError } from '../base/errors.ts';
import { hasHead, toFastifyPath } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    isOtherMethod?: true;
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Serves the methods that the paths of the API don't have, as a 405, and OPTIONS, which lists those that they have (RFC 9110,
 * sections 9.3.7 and 15.5.6).
 */
export function serveOtherMethods(server: FastifyInstance): void {
  for (const [path, ofPath] of Map.groupBy(routes, ({ path }) => path)) {
    const served = new Set(ofPath.flatMap(methodsOf));
    const allow = methods.filter((method) => method === 'OPTIONS' || served.has(method)).join(', ');
    server.route({
      method: methods.filter((method) => !served.has(method)),
      url: toFastifyPath(path),
      config: { isOtherMethod: true },
      // Before a body is read.
      onRequest: async ({ method, params }, reply) => {
        // The router matches an empty segment, too.
        if (Object.values(params as object).includes('')) return reply.callNotFound();
        if (method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
        throw new AtriumError('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } });
      },
      handler: () => undefined,
    });
  }
}

const methodsOf = (route: Route): string[] =>
  route.method === 'GET' && hasHead(route) ? ['GET', 'HEAD'] : [route.method];
