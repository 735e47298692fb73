import type { FastifyInstance, FastifyRequest } from 'fastify';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { consume, networkOf, siteOf } from '../../base/rate-limit.ts';
import { parseJsonBody } from '../../http/request/json-body.ts';
import type { Database } from '../../storage/database.ts';
import { createAccessToken, type AccessTokenResponse } from './access-tokens.ts';
import { authenticateClient, type Client } from './clients/authentication.ts';
import { pollDeviceRequest, startDeviceRequest } from './authorization/device.ts';
import { readResource } from '../audience.ts';
import { useCode } from './authorization/codes.ts';
import { revokeOAuthToken } from './revocation.ts';
import { OAuthError, statusOf, type OAuthErrorCode } from './errors.ts';
import { readForm, type Form } from './form.ts';
import {
  authorizationServer,
  deviceGrant,
  devicePath,
  protectedResource,
  registerPath,
  revokePath,
  tokenPath,
} from './metadata.ts';
import { registerClient, requirePublicClient } from './clients/public-clients.ts';
import { refreshTokens } from './refresh/refresh.ts';

export interface OAuthDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** The errors of a credential that may have been guessed. */
const guesses: ReadonlySet<OAuthErrorCode> = new Set(['invalid_client', 'invalid_grant']);

const maxBodyBytes = 16 * 1_024;

/** Serves the token endpoint and the metadata of OAuth, whose requests and errors have the forms of its RFCs. */
export function serveOAuth(server: FastifyInstance, { database, clock, publicUrl }: OAuthDependencies): void {
  const audiences = [publicUrl, publicUrl + tokenPath];
  // By site, since each of these is stored for a while.
  const started = new RateLimiterMemory({ keyPrefix: 'device', points: 60, duration: 900 });
  const registered = new RateLimiterMemory({ keyPrefix: 'register', points: 20, duration: 3_600 });
  const failed = new RateLimiterMemory({ keyPrefix: 'oauth', points: 100, duration: 900 });

  /** Failures are limited by address; a client with a valid credential still gets its tokens. */
  async function authenticate({ headers, ip }: FastifyRequest, form: Form): Promise<Client> {
    return limited(ip, () =>
      authenticateClient({ reader: database, clock, audiences }, headers.authorization, form),
    );
  }

  /** Counts attempts to guess a credential, and throws `too_many_attempts` instead of their errors if there are too many. */
  async function limited<Result>(address: string, attempt: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof OAuthError && guesses.has(error.code)) await consume(failed, networkOf(address));
      throw error;
    }
  }

  async function respond(request: FastifyRequest, form: Form): Promise<AccessTokenResponse> {
    const grant = form.get('grant_type');
    if (grant === undefined) throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
    const { ip: address } = request;
    const clientId = form.get('client_id') ?? '';
    const audience = readResource(publicUrl, form.get('resource'));
    switch (grant) {
      case 'client_credentials':
        return createAccessToken(
          { database, clock },
          await authenticate(request, form),
          { scope: form.get('scope'), audience },
          address,
        );
      case 'refresh_token': {
        await requirePublicClient(database, clientId);
        const token = form.get('refresh_token') ?? '';
        const refresh = { token, clientId, scope: form.get('scope'), audience, address };
        return limited(address, () => refreshTokens({ database, clock }, refresh));
      }
      case 'authorization_code': {
        await requirePublicClient(database, clientId);
        const code = form.get('code') ?? '';
        const verifier = form.get('code_verifier') ?? '';
        const use = { code, clientId, redirectUri: form.get('redirect_uri'), verifier, address, audience };
        return limited(address, () => useCode({ database, clock }, use));
      }
      case deviceGrant: {
        await requirePublicClient(database, clientId);
        const poll = { deviceCode: form.get('device_code'), clientId, address, audience };
        return limited(address, () => pollDeviceRequest({ database, clock }, poll));
      }
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          `This server grants authorization_code, client_credentials, refresh_token and ${deviceGrant}.`,
        );
    }
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
    const post = (path: string, respondTo: (request: FastifyRequest, form: Form) => Promise<object>) =>
      scope.post(path, { bodyLimit: maxBodyBytes }, (request, reply) => {
        // Besides `Cache-Control`, which every response has (RFC 6749, section 5.1).
        reply.header('pragma', 'no-cache');
        if (typeof request.body !== 'string')
          throw new OAuthError('invalid_request', 'The body must be a form.');
        return respondTo(request, readForm(request.body));
      });
    post(tokenPath, respond);
    post(devicePath, async ({ ip: address }, form) => {
      await consume(started, siteOf(address), 'requests');
      const request = { clientId: form.get('client_id'), scope: form.get('scope'), address };
      return startDeviceRequest({ database, clock, publicUrl }, request);
    });
    post(revokePath, async (_, form) => {
      const token = form.get('token');
      if (token === undefined) throw new OAuthError('invalid_request', 'The parameter token is missing.');
      await revokeOAuthToken(database, clock, token);
      return {};
    });
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) =>
      done(null, body),
    );
    scope.post(registerPath, { bodyLimit: maxBodyBytes }, async ({ body, ip }, reply) => {
      await consume(registered, siteOf(ip), 'registrations');
      return reply.code(201).send(await registerClient({ database, clock }, parseMetadata(body)));
    });
  });

  server.get('/.well-known/oauth-authorization-server', () => authorizationServer(publicUrl));
  server.get('/.well-known/oauth-protected-resource', () => protectedResource(publicUrl, ''));
  server.get('/.well-known/oauth-protected-resource/mcp', () => protectedResource(publicUrl, '/mcp'));
}

/** Parses the metadata of a client. Throws `invalid_client_metadata` if the body is not I-JSON, whose texts can be stored. */
function parseMetadata(body: unknown): unknown {
  try {
    return Buffer.isBuffer(body) ? parseJsonBody(body) : undefined;
  } catch (error) {
    if (!(error instanceof AtriumError)) throw error;
    throw new OAuthError('invalid_client_metadata', 'The body is not I-JSON (RFC 7493).');
  }
}
