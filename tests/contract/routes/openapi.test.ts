import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { problems, type ProblemCode } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { scopeOf, scopes } from '#contract/scopes.ts';
import { createDocument } from '../../../src/server/http/api-docs/document.ts';
import { startTestServer } from '../../support/server/test-server.ts';
import { readDocument, resolve, type ApiDocument, type Schema, type SecurityScheme } from './document.ts';

const text = JSON.stringify(createDocument('0.0.0-test'));
const document = readDocument(text);

/** Returns the description of a schema, or of the one that it refers to. */
const descriptionOf = ({ description, $ref = '' }: Schema): string | undefined =>
  description ?? document.components.schemas[$ref.replace('#/components/schemas/', '')]?.description;

describe('the OpenAPI document', () => {
  test('is served as JSON', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const response = await server.call('GET /api/openapi.json');
    assert.deepEqual(
      [response.status, response.headers['content-type'], response.text],
      [200, 'application/json; charset=utf-8', text],
    );
  });

  test('is valid OpenAPI 3.1, and small', async () => {
    assert.match(document.openapi, /^3\.1\./);
    const validator = new Validator();
    assert.deepEqual(await validator.validate(JSON.parse(text)), { valid: true });
    assert.equal(validator.version, '3.1');
    const bytesOfOperation = text.length / routes.length;
    assert.ok(bytesOfOperation < 2_100, `${bytesOfOperation} bytes for each operation`);
  });

  test('has each operation with its parameters, body, reply and problems', () => {
    const found = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(found.toSorted(), routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      assert.ok(operation);
      const success = operation.responses[route.status];
      assert.deepEqual(
        {
          id: operation.operationId,
          tags: operation.tags,
          summary: operation.summary,
          security: operation.security ?? document.security,
          parameters: (operation.parameters ?? []).map(
            (parameter) => `${parameter.in} ${parameter.name} ${parameter.required}`,
          ),
          body: operation.requestBody && {
            required: operation.requestBody.required,
            types: Object.keys(operation.requestBody.content),
          },
          reply: Object.keys(success?.content ?? {}),
          location: success?.headers?.['Location']?.schema.type,
          codes: codesOf(document, operation.responses),
        },
        {
          id: route.id,
          tags: [route.tag],
          summary: route.summary,
          security: securityOf(route),
          parameters: [
            ...Object.keys(route.query?.properties ?? {}).map(
              (name) => `query ${name} ${route.query?.required?.includes(name) ?? false}`,
            ),
            ...(route.query &&
            'additionalProperties' in route.query &&
            route.query.additionalProperties !== false
              ? ['query parameters false']
              : []),
            ...Object.keys(route.params?.properties ?? {}).map((name) => `path ${name} true`),
            ...Object.keys(route.headers?.properties ?? {}).map((name) => `header ${name} false`),
          ],
          body:
            route.upload || route.body
              ? {
                  required: true,
                  types: route.upload ?? [
                    'application/json',
                    ...(route.lines ? ['application/x-ndjson'] : []),
                  ],
                }
              : undefined,
          reply: [
            ...(route.reply ? [route.mediaType ?? 'application/json'] : []),
            ...(route.alternatives ?? []),
          ],
          location: route.status === 302 || route.location !== undefined ? 'string' : undefined,
          codes: expectedCodes(route),
        },
        route.id,
      );
    }
    const { token, ...others } = document.components.securitySchemes;
    assert.deepEqual(flowsOf(token), { authorizationCode: scopes, clientCredentials: scopes });
    assert.deepEqual(others, {
      session: { type: 'apiKey', in: 'cookie', name: 'auth.session_token' },
      display: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of a link for a wall display',
      },
    });
  });

  test('describes every parameter', () => {
    const all = Object.values(document.paths).flatMap((operations) => Object.values(operations));
    const unclear = all.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ description, schema }) => (description ?? descriptionOf(schema)) === undefined)
        .map(({ name }) => `${operationId} ${name}`),
    );
    assert.deepEqual(unclear, []);
  });

  test('describes every member of every object', () => {
    const unclear = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, member]) => descriptionOf(member) === undefined)
        .map(([member]) => `${name}.${member}`),
    );
    assert.deepEqual(unclear, []);
  });

  test('names every object', () => {
    const { schemas } = document.components;
    assert.ok(Object.keys(schemas).length > 150);
    for (const name of [
      'Dashboard',
      'Problem',
      'ReportSummaryPage',
      'BarVisualization',
      'SignInByEmailRequest',
    ])
      assert.ok(name in schemas, name);
    const unnamed = JSON.stringify([
      document.paths,
      Object.values(schemas).map(({ properties }) => properties),
    ]);
    assert.doesNotMatch(unnamed, /"properties":/);
  });

  test('has the types that clients send and receive, not those that the server parses', () => {
    const parameter = (id: string, name: string) =>
      Object.values(document.paths)
        .flatMap((operations) => Object.values(operations))
        .find(({ operationId }) => operationId === id)
        ?.parameters?.find((one) => one.name === name)?.schema;
    const limit = { type: 'integer', minimum: 1, maximum: 200, default: 50 };
    assert.deepEqual(parameter('listReports', 'limit'), limit);
    assert.deepEqual(parameter('importDashboards', 'dryRun'), { type: 'boolean', default: false });
    assert.deepEqual(parameter('deleteReport', 'force'), { type: 'boolean', default: false });
    const { schemas } = document.components;
    assert.deepEqual(schemas['VersionNumber'], {
      type: 'integer',
      minimum: 1,
      description: 'The number of a version',
    });
    assert.deepEqual(
      [schemas['Role']?.type, schemas['Id']?.format, schemas['Timestamp']?.format],
      ['string', 'uuid', 'date-time'],
    );
    assert.deepEqual(schemas['ProblemCode']?.enum, Object.keys(problems));
    assert.doesNotMatch(text, /"x-/);
    JSON.parse(text, (_, value: Schema | null) => {
      if (Array.isArray(value?.enum)) assert.ok(value.type, JSON.stringify(value));
      return value;
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
      'malformed_request',
      'unavailable',
      ...(upload ? ['body_too_large', 'unsupported_media_type'] : []),
      ...(query || hasPattern ? ['invalid_parameters'] : []),
      ...own,
    ]),
  ].toSorted();
}

/** The problem codes that an operation's responses describe, each under the status of its code. */
function codesOf(
  document: ApiDocument,
  responses: ApiDocument['paths'][string][string]['responses'],
): string[] {
  return Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([status, response]) => {
      const { description, content } = resolve(document, response);
      assert.deepEqual(Object.keys(content ?? {}), ['application/problem+json']);
      const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code as ProblemCode);
      for (const code of codes) {
        const own = problems[code].status;
        assert.ok(status === String(own) || status === `${String(own)[0]}XX`, code);
      }
      return codes;
    })
    .toSorted();
}

/** A session or, if the operation has a scope, a token. */
/** Returns the scopes of each flow of a security scheme. */
const flowsOf = (scheme: SecurityScheme | undefined) =>
  Object.fromEntries(
    Object.entries(scheme?.flows ?? {}).map(([name, flow]) => [name, Object.keys(flow.scopes)]),
  );

const securityOf = ({ id, access }: Route): object[] => {
  if (access === 'public') return [];
  const scope = scopeOf(id);
  return [{ [access]: [] }, ...(scope === undefined ? [] : [{ token: [scope] }])];
};
