import * as client from 'openid-client';

/** Returns the library of the protocol. */
export const loadProtocol = async (): Promise<typeof client> => client;
