import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusedPathOf } from './request/refused-path.ts';

/** Whether each request is logged; can be changed while the server runs. */
export interface RequestLog {
  isOn: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    requestLog: RequestLog;
  }
}

/** Long enough for every path of the API; other paths can have any length. */
const maxPathLength = 300;

/**
 * Logs a request when its connection no longer needs it: the response was sent, or the client has disconnected. The line
 * contains ids, but no query string, header, name or email address.
 */
export function logWhenClosed(request: FastifyRequest, reply: FastifyReply): void {
  const startedAt = performance.now();
  const { raw } = reply;
  const { socket } = raw;
  const sentBefore = socket?.bytesWritten ?? 0;
  raw.once('close', () => {
    const { method, actor } = request;
    request.log.info(
      {
        method,
        route: routeOf(request),
        path: pathOf(request),
        status: raw.statusCode,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        // A connection sends one response after the other, each with its header fields.
        bytes: (socket?.bytesWritten ?? 0) - sentBefore,
        ...(actor !== undefined && { userId: actor.userId, ...organizationOf(request) }),
        ...(!raw.writableFinished && { isAborted: true }),
      },
      'Request',
    );
  });
}

/** Returns the template of the path, such as `/api/dashboards/{dashboardId}`; undefined if no route has the path. */
export function routeOf(request: FastifyRequest): string | undefined {
  if (request.is404) return refusedPathOf(request);
  const { config, url } = request.routeOptions;
  return config.route?.path ?? url;
}

/** Returns the path without the query string. */
export const pathOf = ({ url }: FastifyRequest): string =>
  (url.split('?', 1)[0] ?? '').slice(0, maxPathLength);

/** Returns the organization in the path, or the only one that the session gives access to. */
function organizationOf({ params, actor }: FastifyRequest): { organizationId?: string } {
  // Sound because Fastify's router always returns an object.
  const { orgId } = params as { readonly orgId?: string };
  if (orgId !== undefined) return { organizationId: orgId };
  return actor === undefined || actor.scope === 'all' ? {} : { organizationId: actor.scope.organizationId };
}
