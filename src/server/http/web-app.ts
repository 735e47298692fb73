import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AtriumError } from '../base/errors.ts';
import { permissionsPolicy } from './response/permissions-policy.ts';

/** The placeholder of the build for the nonce of a response. */
const noncePlaceholder = 'NONCE-OF-THE-RESPONSE';
const notBuilt =
  '<!doctype html><title>Atrium</title><p>The web application is not built. Run <code>npm start</code> to build it.</p>';

/** Empty segments, dot segments, backslashes and U+0000, which no browser sends by itself. */
const malformed = /\/\/|\\|%5c|%00|\/(\.|%2e){1,2}(\/|$)/i;

/** Paths that monitoring tools commonly probe. If they got a page, any server would look healthy. */
const probe =
  /^\/(-\/|_|actuator\/)?(health(z|y|check|-check)?|live(z|ness)?|ready(z)?|readiness|alive|heartbeat|metrics|prometheus|ping|status|up)(\/|$)/i;

/**
 * Returns the policy of a page. Scripts come only from this server's files. Styles that the application adds have the
 * nonce of the page; images can come from a canvas.
 */
const policyFor = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Sends the page of the application, which shows the problem to a person instead of a problem document. */
export type SendProblemPage = (reply: FastifyReply, problem: object) => FastifyReply;

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined if there is no application to show it. */
    sendProblemPage: SendProblemPage | undefined;
  }
}

/**
 * Serves the built web application from `directory`: its files by their names, which change with their content, and its
 * single page at every other path without a file extension, except under `/api`.
 */
export async function serveWebApp(server: FastifyInstance, directory: string): Promise<void> {
  const pageFile = join(directory, 'index.html');
  const isBuilt = existsSync(pageFile);
  const page = isBuilt ? readFileSync(pageFile, 'utf8') : notBuilt;
  if (isBuilt) {
    server.sendProblemPage = (reply, problem) =>
      reply.send(
        // The nonce is inserted before the problem, so that a placeholder in the problem has no effect.
        withNonce(reply, page).replace('</head>', (end) => `${problemTag(problem)}${end}`),
      );
    await server.register(fastifyStatic, {
      root: directory,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const isNamedByContent = path.includes(`${sep}assets${sep}`);
        const lifetime = isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache';
        response.header('cache-control', lifetime);
      },
    });
  }
  server.get('/*', sendFileOrPage);

  function sendFileOrPage(request: FastifyRequest, reply: FastifyReply): unknown {
    const path = request.url.split('?', 1)[0] ?? '';
    if (malformed.test(path))
      throw new AtriumError('malformed_request', 'The URL does not belong to a page or file.');
    if (/^\/api(\/|$)/.test(path)) return reply.callNotFound();
    if (probe.test(path)) return reply.callNotFound();
    if (/\.[a-z0-9]+$/.test(path)) return isBuilt ? reply.sendFile(path) : reply.callNotFound();
    return reply.send(withNonce(reply, page));
  }
}

/** Returns the page with a new nonce, and sets the headers of the page. */
function withNonce(reply: FastifyReply, page: string): string {
  const nonce = randomBytes(16).toString('base64url');
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    // Not cached for going back either, where it would show data after signing out.
    'cache-control': 'no-store',
    // Other sites that open it in a window can't observe or navigate that window; windows that it opens stay connected.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'content-security-policy': policyFor(nonce),
    ...permissionsPolicy,
  });
  return page.replaceAll(noncePlaceholder, nonce);
}

/** Returns a tag with data for the application's scripts, in an attribute, where none of it is markup. */
const problemTag = (problem: object): string =>
  `<meta name="atrium-problem" content="${JSON.stringify(problem).replaceAll(/[&"<>]/g, (sign) => entities[sign] ?? '')}" />`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
