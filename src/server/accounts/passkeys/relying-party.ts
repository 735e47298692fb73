import { passkeyObstacle } from '#shared/passkeys/obstacle.ts';
import { AtriumError } from '../../base/errors.ts';

/** This server, as passkeys know it. Only its public URL decides, never the headers of a request. */
export interface RelyingParty {
  /** The RP ID: the host without a port. Authenticators only use a passkey for the RP ID that it was made for. */
  readonly id: string;
  readonly origin: string;
}

/** Returns undefined if browsers don't allow passkeys for the URL. */
export const findRelyingParty = (publicUrl: string): RelyingParty | undefined =>
  passkeyObstacle(publicUrl) === undefined
    ? { id: new URL(publicUrl).hostname, origin: new URL(publicUrl).origin }
    : undefined;

/** Throws `forbidden` if browsers don't allow passkeys for the URL. */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const party = findRelyingParty(publicUrl);
  if (party !== undefined) return party;
  throw new AtriumError(
    'forbidden',
    passkeyObstacle(publicUrl) === 'address'
      ? 'This server is reached by its IP address, for which browsers don’t allow passkeys. Its ATRIUM_PUBLIC_URL has to name a host.'
      : 'Browsers don’t allow passkeys without https. The ATRIUM_PUBLIC_URL of this server has to start with https.',
  );
}
