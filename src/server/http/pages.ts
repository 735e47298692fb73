import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Serves the plain pages of `pages/`, each at its name without an ending; `/` is `index.html`. */
export async function servePages(server: FastifyInstance): Promise<void> {
  await server.register(fastifyStatic, {
    root: join(import.meta.dirname, 'pages'),
    extensions: ['html'],
    cacheControl: false,
    schemaHide: true,
    setHeaders: (response) => {
      response.header('content-security-policy', policy);
      response.header('cache-control', 'no-cache');
    },
  });
}
