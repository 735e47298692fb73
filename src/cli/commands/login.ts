import type { Run } from '../command.ts';
import { parseServerUrl } from '../connection/address.ts';
import { findLogin, readLogins, writeLogin, writeLogins } from '../connection/logins.ts';
import { authorizeDevice, hasEnded, revokeLogin } from '../connection/oauth.ts';
import { UsageError } from '../usage/usage.ts';

/** What the command line asks for by default. The person who authorizes it can choose less. */
const defaultScopes = ['read', 'dashboards:write', 'reports:write', 'folders:write', 'data_sources:write'];

/** `atrium login URL`: a person authorizes the command line in a browser, so that nobody copies a token. */
export const login: Run = async (place, values) => {
  const { environment, configDirectory } = place;
  const origin = parseServerUrl(values['url'] ?? '', environment['ATRIUM_ALLOW_HTTP'] === 'true');
  // Before someone authorizes what could not be stored.
  readLogins(configDirectory);
  const scopes = values['scope']?.split('\n') ?? defaultScopes;
  const tokens = await authorizeDevice(place, origin, scopes.join(' '));
  writeLogin(configDirectory, origin, tokens);
  writeLogins(configDirectory, { ...readLogins(configDirectory), current: origin });
  return { text: `Logged in to ${origin}.`, data: { origin } };
};

/** `atrium logout`: the tokens end on the server, too. */
export const logout: Run = async (place, values) => {
  const { environment, configDirectory } = place;
  const logins = readLogins(configDirectory);
  const server = values['url'] ?? logins.current;
  if (server === undefined) throw new UsageError('There is no login.');
  const origin = parseServerUrl(server, environment['ATRIUM_ALLOW_HTTP'] === 'true');
  const stored = findLogin(logins, origin);
  if (stored === undefined) throw new UsageError(`There is no login for ${origin}.`);
  await revokeLogin(place, origin, stored.refreshToken ?? stored.accessToken).catch((error: unknown) => {
    if (!hasEnded(error)) throw error;
  });
  writeLogin(configDirectory, origin, undefined);
  return { text: `Logged out of ${origin}.`, data: { origin } };
};
