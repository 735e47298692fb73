import { routes } from '#contract/routes.ts';
import { scopeDescriptions } from '#contract/scopes.ts';
import { tags } from '#contract/tags.ts';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { closeRequests } from './closed-requests.ts';
import { describeOperation, securityOf, type SharedComponents } from './operations.ts';
import { createSchemas, type JsonSchema } from './schemas.ts';

/** Returns the OpenAPI 3.1 document of every operation of the contract. */
export function createDocument(version: string): JsonSchema {
  const schemas = createSchemas();
  const shared: SharedComponents = { responses: {}, parameters: {}, headers: {} };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const operations = routes.map((route) => ({
    route,
    described: describeOperation(route, schemas, shared),
  }));
  for (const { route, described } of operations) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: described });
  }
  closeRequests(operations, schemas.components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version,
      description:
        'Programs send a token as `Authorization: Bearer …`. With a token that lacks the scope of an operation, and with any token ' +
        'for an operation without a scope, the response is a 403 (`insufficient_scope`). ' +
        'People sign in with `POST /api/auth/sign-in/email`, which sets the session cookie. Public operations need neither. Each response has the header `X-Request-Id`. Besides the problems of ' +
        'its operation, a request can get a 400 (`invalid_parameters` or `invalid_body`) that names the query parameters and members that the operation doesn’t know, ' +
        'a 405 (`method_not_allowed`) with `Allow`, a 415 (`unsupported_media_type`) if ' +
        'it has `Content-Encoding`, and a 431 (`headers_too_large`). ' +
        'Each response to a valid token has `RateLimit`, such as `"default";r=50;t=30`: 50 requests are left for 30 seconds, by the ' +
        'limit with that name of `RateLimit-Policy`. Without any left, the response is a 429 (`too_many_attempts`) with `Retry-After`, ' +
        'and so it is after too many requests of a session, or after too much processor time of a person or an organization.',
      contact: { name: 'The operators of this server' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    // Most operations read. The others have their own.
    security: securityOf('session', 'read'),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        token: {
          type: 'oauth2',
          description:
            'A personal token or one of a service account, or an access token of an hour by OAuth 2.0: by client credentials of a ' +
            'service account, an authorization code with PKCE, or the device flow (RFC 8628). ' +
            '`/.well-known/oauth-authorization-server` describes the endpoints',
          flows: {
            authorizationCode: {
              authorizationUrl: '/oauth/authorize',
              tokenUrl: '/api/oauth/token',
              refreshUrl: '/api/oauth/token',
              scopes: scopeDescriptions,
            },
            clientCredentials: { tokenUrl: '/api/oauth/token', scopes: scopeDescriptions },
          },
        },
        display: { type: 'http', scheme: 'bearer', description: 'The token of a link for a wall display' },
      },
      schemas: sorted(schemas.components),
      responses: sorted(shared.responses),
      parameters: sorted(shared.parameters),
      headers: sorted(shared.headers),
    },
  };
}

const sorted = (components: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)));
