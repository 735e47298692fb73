import type * as client from 'openid-client';

/** Loads the OpenID Connect library at the first sign-in, since many servers never need it. */
export const loadProtocol = (): Promise<typeof client> => import('openid-client');
