import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { problems, type ProblemCode } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { startTestServer } from '../../support/server/test-server.ts';

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const { status, headers, body } = await server.call('GET /api/openapi.json');
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
    assert.match(body.openapi, /^3\.1\./);
    const validator = new Validator();
    assert.deepEqual(await validator.validate(structuredClone(body)), { valid: true });
    assert.equal(validator.version, '3.1');
    delete body.paths['/api/dashboards'].post.responses;
    body.paths['/api/dashboards'].get.parameters[0].in = 'nowhere';
    assert.equal((await new Validator().validate(body)).valid, false, 'the validator accepts anything');
  });

  test('has each operation with its parameters, body, reply and problems', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const { body: document } = await server.call('GET /api/openapi.json');
    const found = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(found.toSorted(), routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    for (const route of routes) {
      const operation = document.paths[route.path][route.method.toLowerCase()];
      assert.deepEqual(
        {
          id: operation.operationId,
          tags: operation.tags,
          summary: operation.summary,
          security: operation.security,
          parameters: (operation.parameters ?? []).map(
            (parameter: { in: string; name: string; required?: boolean }) =>
              `${parameter.in} ${parameter.name} ${parameter.required ?? false}`,
          ),
          body: operation.requestBody && {
            required: operation.requestBody.required,
            types: Object.keys(operation.requestBody.content),
            schema: Object.values<{ schema: unknown }>(operation.requestBody.content)[0]?.schema,
          },
          reply: operation.responses[route.status].content?.[route.mediaType ?? 'application/json'].schema,
          location: operation.responses[route.status].headers?.location?.schema.type,
          codes: codesOf(operation.responses),
        },
        {
          id: route.id,
          tags: [route.tag],
          summary: route.summary,
          security: route.access === 'session' ? [{ session: [] }] : undefined,
          parameters: [
            ...Object.entries(route.query?.properties ?? {}).map(
              ([name]) => `query ${name} ${route.query?.required?.includes(name) ?? false}`,
            ),
            ...Object.keys(route.params?.properties ?? {}).map((name) => `path ${name} true`),
            ...Object.keys(route.headers?.properties ?? {}).map((name) => `header ${name} false`),
          ],
          body: route.upload
            ? { required: true, types: route.upload, schema: { type: 'string', format: 'binary' } }
            : route.body && {
                required: true,
                types:
                  route.method === 'PATCH'
                    ? ['application/json', 'application/merge-patch+json']
                    : ['application/json'],
                schema: inOpenApiWords(route.body),
              },
          reply: route.reply && inOpenApiWords(route.reply),
          location: route.status === 302 || route.location !== undefined ? 'string' : undefined,
          codes: expectedCodes(route),
        },
        route.id,
      );
    }
    assert.deepEqual(document.components.securitySchemes, {
      session: { type: 'apiKey', in: 'cookie', name: 'auth.session_token' },
    });
  });
});

/** Returns the codes that any operation of its kind can return, and those that the route itself lists. */
function expectedCodes({
  access,
  method,
  path,
  params,
  headers,
  body,
  upload,
  query,
  problems: own = [],
}: Route): string[] {
  const hasPattern = Object.values({ ...params?.properties, ...headers?.properties }).some(
    (value) => 'pattern' in value,
  );
  const isOfOrganization = own.includes('not_found') && !path.startsWith('/api/auth/');
  return [
    ...(access === 'session' ? ['unauthenticated'] : []),
    ...(access === 'session' && isOfOrganization ? ['sso_required'] : []),
    ...(method === 'GET' ? [] : ['cross_site_request']),
    ...(body ? ['malformed_json', 'invalid_body', 'body_too_large', 'unsupported_media_type'] : []),
    ...new Set([
      'internal',
      'unavailable',
      ...(upload ? ['body_too_large', 'malformed_request', 'unsupported_media_type'] : []),
      ...(query || hasPattern ? ['invalid_parameters'] : []),
      ...own,
    ]),
  ].toSorted();
}

/** The problem codes that an operation's responses describe, each under the status of its code. */
function codesOf(
  responses: Record<string, { description: string; content?: Record<string, unknown> }>,
): string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description, content }]) => {
      assert.deepEqual(Object.keys(content ?? {}), ['application/problem+json']);
      const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code as ProblemCode);
      for (const code of codes) assert.equal(String(problems[code].status), status, code);
      return codes;
    })
    .toSorted();
}

/** Returns a schema as it is in the document: a constant is the only value of an enumeration. */
function inOpenApiWords(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || !('const' in value)) return value;
      const { const: only, ...rest } = value;
      return { ...rest, enum: [only] };
    }),
  );
}
