import type * as client from 'openid-client';

/** Loads the library of the protocol at the first sign-in: most starts, and many servers, never need it. */
export const loadProtocol = (): Promise<typeof client> => import('openid-client');
