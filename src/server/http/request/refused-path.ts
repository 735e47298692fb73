import type { FastifyRequest } from 'fastify';

const refusedPaths = new WeakMap<FastifyRequest, string>();

/** Notes the template of the path of a request whose method the path doesn't have. */
export function noteRefusedPath(request: FastifyRequest, path: string): void {
  refusedPaths.set(request, path);
}

/** Returns the template of the path of a request that no route serves; undefined if no other method has that path either. */
export const refusedPathOf = (request: FastifyRequest): string | undefined => refusedPaths.get(request);
