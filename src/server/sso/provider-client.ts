import * as client from 'openid-client';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { RelyingParty } from './relying-party.ts';

/** Entra back-dates and clocks drift: seconds. */
const clockToleranceS = 300;

/** Returns the library's view of a provider whose document was checked; every request of it goes by `outgoing`. */
export function createProviderClient(
  outgoing: Outgoing,
  party: RelyingParty,
  metadata: client.ServerMetadata,
): client.Configuration {
  const provider = new client.Configuration(
    metadata,
    party.clientId,
    // Only keys that the provider publishes count, and only for the algorithm that Entra and AD FS use.
    { id_token_signed_response_alg: 'RS256', [client.clockTolerance]: clockToleranceS },
    client.ClientSecretPost(party.clientSecret),
  );
  const askAlone = (url: string, { method, headers, body }: client.CustomFetchOptions) =>
    outgoing.fetch(url, {
      method,
      headers,
      namedBy: party.discoveryUrl,
      // The library sends forms and nothing else.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
  let keys: Promise<Response> | undefined;
  // Of sign-ins at once, one fetches the keys, which are all that is fetched by GET: the library would for each of them.
  const askForKeys = async (url: string, options: client.CustomFetchOptions) => {
    keys ??= askAlone(url, options).finally(() => {
      keys = undefined;
    });
    return (await keys).clone();
  };
  provider[client.customFetch] = (url, options) =>
    options.method === 'GET' ? askForKeys(url, options) : askAlone(url, options);
  client.enableNonRepudiationChecks(provider);
  // The protocol was checked above, and `outgoing` checks it for every request.
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to be noticed.
  client.allowInsecureRequests(provider);
  return provider;
}
