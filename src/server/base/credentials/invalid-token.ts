import { AtriumError } from '../errors.ts';

/**
 * The error for a bearer token that is not accepted (RFC 6750, section 3.1): by default the same for one that never existed, was revoked or
 * expired, and for one that the organization doesn't permit.
 */
export const invalidToken = (detail = 'The token is not valid, has expired or was revoked.'): AtriumError =>
  new AtriumError('unauthenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="Atrium", error="invalid_token"' },
  });
