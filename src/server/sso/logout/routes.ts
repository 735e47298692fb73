import type { FastifyInstance, FastifyReply } from 'fastify';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { consume, networkOf } from '../../base/rate-limit.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import type { SsoSignInDependencies } from '../sign-in/attempts.ts';
import { endByLogoutToken, endByProviderSession } from './logout.ts';

const maxBodyBytes = 16 * 1_024;
const path = '/api/sso/logout/:configId';

/** Serves the logout URL of each configuration, at which providers end sessions. Requests and errors have the forms of its standards. */
export function serveLogout(server: FastifyInstance, dependencies: SsoSignInDependencies): void {
  const failures = new RateLimiterMemory({ keyPrefix: 'logout', points: 60, duration: 900 });
  const frames = new RateLimiterMemory({ keyPrefix: 'logout-frame', points: 600, duration: 60 });

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { configId: string } }>(
      path,
      { bodyLimit: maxBodyBytes },
      async (request, reply) => {
        const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
        const [token = '', ...others] = form.getAll('logout_token');
        if (token === '' || others.length > 0)
          return refuse(reply, 400, 'invalid_request', 'The parameter logout_token must be sent once.');
        const isValid = await endByLogoutToken(dependencies, request.params.configId, token).catch(
          unavailable,
        );
        if (isValid !== true) {
          // Checking a signature takes time, and may request keys.
          await consume(failures, networkOf(request.ip), 'requests');
          return isValid === undefined
            ? refuse(
                reply,
                503,
                'temporarily_unavailable',
                'The keys of the provider can’t be read. Try again later.',
              )
            : refuse(reply, 400, 'invalid_request', 'The logout token is not valid.');
        }
        return reply.header('cache-control', 'no-store').send();
      },
    );
  });

  // Providers load it in a hidden frame, with which browsers send no cookie of ours.
  server.get<{ Params: { configId: string }; Querystring: Record<string, string | string[]> }>(
    path,
    // It has an effect.
    { exposeHeadRoute: false },
    async ({ params, query, ip }, reply) => {
      await consume(frames, networkOf(ip), 'requests');
      const { iss, sid } = query;
      // Sent twice, they count as absent.
      if (typeof sid === 'string' && !Array.isArray(iss))
        await endByProviderSession(dependencies, params.configId, { iss, sid });
      return reply.header('cache-control', 'no-store').type('text/plain').send('');
    },
  );
}

const refuse = (reply: FastifyReply, status: number, error: string, description: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send({ error, error_description: description });

/** Returns undefined if the provider does not respond. */
function unavailable(error: unknown): undefined {
  if (!(error instanceof SignInRefusal)) throw error;
  return undefined;
}
