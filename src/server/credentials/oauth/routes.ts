import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '../../base/clock.ts';
import { consume } from '../../base/rate-limit.ts';
import type { Database } from '../../storage/database.ts';
import { createAccessToken, type AccessTokenResponse } from './access-tokens.ts';
import { authenticateClient, type Client } from './client-authentication.ts';
import { OAuthError, statusOf } from './errors.ts';
import { readForm, type Form } from './form.ts';
import { authorizationServer, protectedResource, tokenPath } from './metadata.ts';

export interface OAuthDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

const maxBodyBytes = 16 * 1_024;

/** Serves the token endpoint and the metadata of OAuth, whose requests and errors have the forms of its RFCs. */
export function serveOAuth(server: FastifyInstance, { database, clock, publicUrl }: OAuthDependencies): void {
  const audiences = [publicUrl, publicUrl + tokenPath];
  const failed = new RateLimiterMemory({ keyPrefix: 'oauth', points: 100, duration: 900 });

  /** Failures are limited by address, and never keep a client with a valid credential from its tokens. */
  async function authenticate({ headers, ip }: FastifyRequest, form: Form): Promise<Client> {
    try {
      return await authenticateClient({ reader: database, clock, audiences }, headers.authorization, form);
    } catch (error) {
      if (error instanceof OAuthError) await consume(failed, ip);
      throw error;
    }
  }

  async function respond(request: FastifyRequest, form: Form): Promise<AccessTokenResponse> {
    const grant = form.get('grant_type');
    if (grant === undefined) throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
    if (grant !== 'client_credentials') {
      throw new OAuthError('unsupported_grant_type', 'This server grants client_credentials.');
    }
    const client = await authenticate(request, form);
    return createAccessToken({ database, clock }, client, form.get('scope'), request.ip);
  }

  void server.register(async (scope) => {
    const { errorHandler } = scope;
    scope.setErrorHandler((error, request, reply) => {
      if (!(error instanceof OAuthError)) return errorHandler(error as never, request, reply);
      return reply
        .code(statusOf(error))
        .headers(error.headers)
        .send({ error: error.code, error_description: error.message });
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, body),
    );
    scope.post(tokenPath, { bodyLimit: maxBodyBytes }, (request) => {
      if (typeof request.body !== 'string') throw new OAuthError('invalid_request', 'The body is missing.');
      return respond(request, readForm(request.body));
    });
  });

  server.get('/.well-known/oauth-authorization-server', () => authorizationServer(publicUrl));
  server.get('/.well-known/oauth-protected-resource', () => protectedResource(publicUrl, ''));
  server.get('/.well-known/oauth-protected-resource/mcp', () => protectedResource(publicUrl, '/mcp'));
}
