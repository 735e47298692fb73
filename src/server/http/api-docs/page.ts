import Fastify, { type FastifyInstance } from 'fastify';
import { permissionsPolicy } from '../response/permissions-policy.ts';
import { createDocument } from './document.ts';

const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Atrium API</title>
</head>
<body>
  <noscript>This page requires JavaScript. The OpenAPI document is at /api/openapi.json.</noscript>
  <script id="api-reference" data-url="/api/openapi.json" data-configuration='${JSON.stringify({
    // No requests to other hosts, so that the page works in an isolated network.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  })}'></script>
  <script src="/api/docs/viewer.js"></script>
</body>
</html>
`;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the OpenAPI 3.1 document of the API at `/api/openapi.json`, and a page to read and try it at `/api/docs`.
 */
export function serveApiDocs(server: FastifyInstance, version: string): void {
  let document: Buffer | undefined;
  server.get('/api/openapi.json', (_request, reply) => {
    // A buffer is compressed only once, and shared by slow connections.
    document ??= Buffer.from(JSON.stringify(createDocument(version)));
    return reply.type('application/json; charset=utf-8').send(document);
  });

  server.get('/api/docs', (_request, reply) =>
    reply
      .headers({ 'content-security-policy': policy, ...permissionsPolicy })
      .type('text/html; charset=utf-8')
      .send(html),
  );

  server.get('/api/docs/viewer.js', async (_request, reply) => {
    viewer ??= loadViewer().catch((error: unknown) => {
      viewer = undefined;
      throw error;
    });
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/javascript; charset=utf-8')
      .send(await viewer);
  });
}

let viewer: Promise<Buffer> | undefined;

/** The viewer's script has 4 MB, so it is loaded when someone first opens the page. */
async function loadViewer(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const source = Fastify();
  await source.register(scalar, { routePrefix: '/', configuration: { url: '/' } });
  const { body } = await source.inject('/js/scalar.js');
  await source.close();
  // A buffer is shared; a string would be copied for each slow connection.
  return Buffer.from(body);
}
