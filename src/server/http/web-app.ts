import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AtriumError } from '../base/errors.ts';

/** Where the build leaves room for the nonce of an answer. */
const noncePlace = 'NONCE-OF-THE-ANSWER';
const notBuilt =
  '<!doctype html><title>Atrium</title><p>The web application is not built: <code>npm start</code> does.</p>';

/** Empty parts, parts that lead up, backslashes and U+0000: no browser sends them by itself. */
const malformed = /\/\/|\\|%5c|%00|\/(\.|%2e){1,2}(\/|$)/i;

/**
 * Scripts come from files of ours alone. Styles that the application adds to its page carry the nonce of the page;
 * pictures may be what a canvas has drawn.
 */
const policyFor = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Answers with the page of the application, which tells a person of the problem in the place of a document. */
export type SendProblemPage = (reply: FastifyReply, problem: object) => FastifyReply;

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined where there is no application to show it. */
    sendProblemPage: SendProblemPage | undefined;
  }
}

/**
 * Serves the built web application from `directory`: its files by their names, which change with what is in them, and
 * its one page at every other address that is no file's and not under `/api`.
 */
export async function serveWebApp(server: FastifyInstance, directory: string): Promise<void> {
  const pageFile = join(directory, 'index.html');
  const isBuilt = existsSync(pageFile);
  const page = isBuilt ? readFileSync(pageFile, 'utf8') : notBuilt;
  if (isBuilt) {
    server.sendProblemPage = (reply, problem) =>
      reply.send(
        // The nonce before the problem: its place in the page is known, and none in the problem counts.
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
  server.get('/*', { schema: { hide: true } }, sendFileOrPage);

  function sendFileOrPage(request: FastifyRequest, reply: FastifyReply): unknown {
    const path = request.url.split('?', 1)[0] ?? '';
    if (malformed.test(path))
      throw new AtriumError('malformed_request', 'The address is of no page or file.');
    if (/^\/api(\/|$)/.test(path)) return reply.callNotFound();
    if (/\.[a-z0-9]+$/.test(path)) return isBuilt ? reply.sendFile(path) : reply.callNotFound();
    return reply.send(withNonce(reply, page));
  }
}

/** Returns the page with a nonce of its own, and tells the policy that goes with it. */
function withNonce(reply: FastifyReply, page: string): string {
  const nonce = randomBytes(16).toString('base64url');
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    // Nor is it kept whole to go back to, with the data of who has signed out since.
    'cache-control': 'no-store',
    // Whoever opens it in a window of theirs neither watches nor steers that; windows of ours stay ours.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'content-security-policy': policyFor(nonce),
  });
  return page.replaceAll(noncePlace, nonce);
}

/** Data for the application's scripts, in an attribute, where nothing of it is markup. */
const problemTag = (problem: object): string =>
  `<meta name="atrium-problem" content="${JSON.stringify(problem).replaceAll(/[&"<>]/g, (sign) => entities[sign] ?? '')}" />`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
