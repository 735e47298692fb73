import type { TObject } from 'typebox';
import { descriptions } from '#contract/descriptions.ts';
import type { Route } from '#contract/route.ts';
import { scopeOf, type TokenScope } from '#contract/scopes.ts';
import { describeProblems } from './problems.ts';
import { title, type JsonSchema, type Schemas } from './schemas.ts';

/** The components that operations refer to by name, besides schemas. */
export interface SharedComponents {
  readonly responses: Record<string, JsonSchema>;
  readonly parameters: Record<string, JsonSchema>;
  readonly headers: Record<string, JsonSchema>;
}

/** Returns the Operation Object of a route (OpenAPI 3.1, section 4.8.10). */
export function describeOperation(route: Route, schemas: Schemas, shared: SharedComponents): JsonSchema {
  const parameters = [
    ...parametersIn('query', route.query, schemas),
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('header', route.headers, schemas),
  ].map((parameter) => share(parameter, shared.parameters));
  const scope = scopeOf(route.id);
  const description = [route.description, scope && `Scope: \`${scope}\`.`]
    .filter((text) => text)
    .join('\n\n');
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(description !== '' && { description }),
    ...((route.access !== 'session' || scope !== 'read') && { security: securityOf(route.access, scope) }),
    ...(parameters.length > 0 && { parameters }),
    ...describeBody(route, schemas),
    responses: {
      [route.status]: describeSuccess(route, schemas, shared),
      ...(route.method === 'GET' &&
        route.replyHeaders?.['ETag'] !== undefined && {
          304: { description: 'The record still has the version in `If-None-Match`' },
        }),
      ...(route.problems?.includes('range_not_satisfiable') && {
        206: {
          ...describeSuccess(route, schemas, shared),
          description: 'The part of the file that `Range` asks for',
        },
      }),
      ...describeProblems(route, schemas, shared.responses),
    },
  };
}

/**
 * Returns what authenticates a request (OpenAPI 3.1, section 4.8.30), with the scope that a token needs.
 */
export function securityOf(access: Route['access'], scope: TokenScope | undefined): JsonSchema[] {
  if (access === 'public') return [];
  return [{ [access]: [] }, ...(scope === undefined ? [] : [{ token: [scope] }])];
}

/** Returns a reference to a parameter, unless a different one already has its name. */
function share(parameter: JsonSchema, parameters: Record<string, JsonSchema>): JsonSchema {
  const name = title(String(parameter['name']));
  const known = (parameters[name] ??= parameter);
  return JSON.stringify(known) === JSON.stringify(parameter)
    ? { $ref: `#/components/parameters/${name}` }
    : parameter;
}

/** Returns a reference to a header, unless a different one already has its name. */
function shareHeader(name: string, header: JsonSchema, headers: Record<string, JsonSchema>): JsonSchema {
  const known = (headers[name] ??= header);
  return JSON.stringify(known) === JSON.stringify(header) ? { $ref: `#/components/headers/${name}` } : header;
}

function parametersIn(
  place: 'query' | 'path' | 'header',
  object: TObject | undefined,
  schemas: Schemas,
): JsonSchema[] {
  const parameters = Object.entries(object?.properties ?? {}).map(([name, schema]) => {
    const { description = descriptions[name], ...described } = schemas.add(schema, title(name));
    return {
      name,
      in: place,
      required: object?.required?.includes(name) ?? false,
      ...(description !== undefined && { description }),
      schema: described,
    };
  });
  if (object === undefined || !('additionalProperties' in object)) return parameters;
  const { additionalProperties: any } = object;
  if (typeof any !== 'object' || any === null) return parameters;
  // Each member of an exploded object is a parameter (OpenAPI 3.1, section 4.8.12.3).
  const schema = { type: 'object', additionalProperties: schemas.add(any, 'ParameterText') };
  return [
    ...parameters,
    {
      name: 'parameters',
      description: 'The values of the parameters of the reports, by name',
      in: place,
      required: false,
      style: 'form',
      explode: true,
      schema,
    },
  ];
}

/** A file has no schema (OpenAPI 3.1, section 4.8.14.2). */
const file: JsonSchema = {};

function describeBody({ id, body, lines, upload = [] }: Route, schemas: Schemas): JsonSchema {
  const items = lines && (body as TObject).properties[lines];
  const content = {
    ...Object.fromEntries(upload.map((type) => [type, file])),
    ...(body && { 'application/json': { schema: schemas.add(body, `${title(id)}Request`) } }),
    ...(items && { 'application/x-ndjson': { schema: schemas.add(items, `${title(id)}Lines`) } }),
  };
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
}

const unitOf = { 'application/x-ndjson': 'line', 'text/event-stream': 'event' } as const;

/** The summary of the operation says what was done; repeating it would make the document 3% larger. */
const success = 'OK';

function describeSuccess(route: Route, schemas: Schemas, shared: SharedComponents): JsonSchema {
  const { status, location, reply, mediaType, alternatives = [] } = route;
  const target = status === 302 ? 'The URL to open' : location && 'The URL of what was created';
  const headers = {
    ...Object.fromEntries(
      Object.entries(route.replyHeaders ?? {}).map(([name, description]) => [
        name,
        shareHeader(name, { description, schema: { type: 'string' } }, shared.headers),
      ]),
    ),
    ...(target && { Location: { description: target, schema: { type: 'string', format: 'uri-reference' } } }),
  };
  const described = { ...(Object.keys(headers).length > 0 && { headers }) };
  const schema = reply && schemas.add(reply, `${title(route.id)}Response`);
  if (mediaType === undefined) {
    const content: JsonSchema = {
      ...(schema && { 'application/json': { schema } }),
      ...Object.fromEntries(alternatives.map((type) => [type, file])),
    };
    return {
      description: success,
      ...described,
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
  return {
    description: `${success}. The body is a sequence: the schema describes all of it, each item one ${unitOf[mediaType]}.`,
    ...described,
    content: { [mediaType]: { schema: { type: 'array', items: schema } } },
  };
}
