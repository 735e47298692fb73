import { OAuthError } from './errors.ts';

/** Programs that people authorize, and that have no secret. */
const publicClients: ReadonlyMap<string, string> = new Map([['atrium-cli', 'Atrium command line']]);

/** Returns the name of a public client. Throws `invalid_client` if it is not known. */
export function requirePublicClient(clientId: string | undefined): string {
  const name = clientId === undefined ? undefined : publicClients.get(clientId);
  if (name === undefined) throw new OAuthError('invalid_client', 'The client is not known.');
  return name;
}
