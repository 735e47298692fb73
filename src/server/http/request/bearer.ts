import type { TokenScope } from '#contract/scopes.ts';
import { AtriumError } from '../../base/errors.ts';

/** Whether a request is authenticated by a bearer token (RFC 6750, section 2.1), valid or not. */
export const hasBearer = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^bearer( |$)/i.test(authorization);

/** Returns the token of `Authorization`; an empty string if it has none, or a longer one than any token. */
export const readBearer = (authorization: string): string =>
  /^Bearer (.{1,100})$/i.exec(authorization)?.[1] ?? '';

/** The error for a token without the scope that an operation needs; undefined if tokens can't use it. */
export function insufficientScope(scope: TokenScope | undefined): AtriumError {
  const needed = scope === undefined ? '' : `, scope="${scope}"`;
  return new AtriumError(
    'insufficient_scope',
    scope === undefined
      ? 'No token permits this. Sign in in a browser.'
      : `This requires a token with the scope ${scope}.`,
    { headers: { 'www-authenticate': `Bearer realm="Atrium", error="insufficient_scope"${needed}` } },
  );
}
