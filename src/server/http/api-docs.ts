import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { problems, Problem, type ProblemCode } from '#contract/problem.ts';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import type { Route } from '#contract/route.ts';
import { mergePatch } from './request/json-body.ts';

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
 * Adds the OpenAPI 3.1 document of everything that is registered after it, at `/api/openapi.json`, and a page to read
 * and try it at `/api/docs`.
 */
export async function serveApiDocs(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Atrium',
        version,
        description:
          'Sign in with `POST /api/auth/sign-in/email`. All other operations require the session cookie that it sets.',
      },
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } } },
    },
    transform: ({ schema, url, route }) => {
      const operation = route.config?.route;
      if (operation === undefined) return { schema: { ...schema, hide: true }, url };
      return { schema: { ...schema, ...describe(operation) }, url };
    },
  });

  server.get('/api/openapi.json', () => server.swagger());

  server.get('/api/docs', (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html),
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

/** Returns the problems that any operation with these inputs can have. */
const commonProblems = (route: Route): ProblemCode[] => [
  ...(route.body
    ? (['malformed_json', 'invalid_body', 'body_too_large', 'unsupported_media_type'] as const)
    : []),
  ...(route.upload ? (['body_too_large', 'malformed_request', 'unsupported_media_type'] as const) : []),
  ...(route.query || hasPattern(route.params) || hasPattern(route.headers)
    ? (['invalid_parameters'] as const)
    : []),
  ...(route.access === 'session' ? (['unauthenticated'] as const) : []),
  ...(isOfOrganization(route) ? (['sso_required'] as const) : []),
  ...(route.method === 'GET' ? [] : (['cross_site_request'] as const)),
  'internal',
  'unavailable',
];

const hasPattern = (values: Route['params']): boolean =>
  Object.values(values?.properties ?? {}).some((param) => 'pattern' in param);

/**
 * An operation that can return `not_found` for another organization can return `sso_required` for one that requires
 * SSO.
 */
const isOfOrganization = ({ access, path, problems: own = [] }: Route): boolean =>
  access === 'session' && own.includes('not_found') && !path.startsWith('/api/auth/');

function describe(route: Route) {
  const byStatus = Map.groupBy(
    new Set([...commonProblems(route), ...(route.problems ?? [])]),
    (code) => problems[code].status,
  );
  const problemResponses = Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, describeProblems(codes, route.problemReplies)] as const),
  );
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.upload && { body: { content: describeUpload(route.upload) } }),
    ...(route.access === 'session' && { security: [{ session: [] }] }),
    ...(route.method === 'PATCH' && { consumes: ['application/json', mergePatch] }),
    response: {
      [route.status]: describeSuccess(route),
      ...(route.method === 'GET' && route.replyHeaders?.['ETag'] !== undefined && { 304: notModified }),
      ...problemResponses,
    },
  };
}

const describeUpload = (mediaTypes: readonly string[]) =>
  Object.fromEntries(
    mediaTypes.map((mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }]),
  );

const notModified = {
  description: 'The record still has the version in `If-None-Match`',
  type: 'null',
};

const unitOf = { 'application/x-ndjson': 'line', 'text/event-stream': 'event' } as const;

function describeSuccess({
  status,
  summary,
  location,
  reply,
  replyHeaders,
  mediaType,
  alternatives = [],
}: Route) {
  const target = status === 302 ? 'The URL to open' : location && 'The URL of what was created';
  const described = {
    description: summary,
    headers: {
      ...Object.fromEntries(
        Object.entries(replyHeaders ?? {}).map(([name, description]) => [
          name,
          { type: 'string', description },
        ]),
      ),
      ...(target && { location: { type: 'string', format: 'uri-reference', description: target } }),
    },
  };
  if (reply === undefined) return { ...described, type: 'null' };
  return {
    ...described,
    description:
      mediaType === undefined ? summary : `${summary}; the schema describes one ${unitOf[mediaType]}`,
    content: {
      [mediaType ?? 'application/json']: { schema: reply },
      ...Object.fromEntries(alternatives.map((type) => [type, {}])),
    },
  };
}

const describeProblems = (codes: readonly ProblemCode[], replies: Route['problemReplies']) => {
  const own = codes.flatMap((code) => replies?.[code] ?? []);
  const schemas = own.length < codes.length ? [...own, Problem] : own;
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('; '),
    content: {
      'application/problem+json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } },
    },
  };
};
