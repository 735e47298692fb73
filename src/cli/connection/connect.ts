import { createClient, type Client } from '../../client/client.ts';
import { ApiProblem, proxyProblem, Unreachable, type ProblemDocument } from '../../client/errors.ts';
import { isProblem } from '../../client/requests.ts';
import type { Place } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import { UsageError, type Arguments, type CommandOption } from '../usage/usage.ts';
import { parseServerUrl } from './address.ts';
import { fetchWithin } from './fetch-within.ts';
import { findLogin, readLogins, writeLogin, type Login } from './logins.ts';

/** A server, with a token for it. */
export interface Server {
  readonly origin: string;
  readonly client: Client;
  /** Sends a request of any kind to a path of the server, with the token. Throws ApiProblem and Unreachable. */
  send(path: string, init: RequestInit): Promise<Response>;
}

/** Returns the server and token of the environment, or else of the stored login. Nothing is sent. */
export async function connect(place: Place): Promise<Server> {
  const { origin, token } = await findAccess(place);
  const fetch = fetchWithin(origin, place);
  return {
    origin,
    client: createClient({ baseUrl: origin, token, fetch }),
    send: async (path, init) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(origin + path, { ...init, headers }).catch((error: unknown) => {
        throw new Unreachable('The server can’t be reached.', { cause: error });
      });
      if (response.ok) return response;
      throw new ApiProblem(
        isProblem(response) ? ((await response.json()) as ProblemDocument) : proxyProblem(response),
      );
    },
  };
}

/** The characters of RFC 6750, section 2.1. Others could end up in an error of `fetch`, which quotes an invalid header. */
const tokenPattern = /^[\w.~+/-]+=*$/;

async function findAccess(place: Place): Promise<{ readonly origin: string; readonly token: string }> {
  const { environment, configDirectory } = place;
  const url = environment['ATRIUM_URL']?.trim() ?? '';
  const token = environment['ATRIUM_TOKEN']?.trim() ?? '';
  const allowsHttp = environment['ATRIUM_ALLOW_HTTP'] === 'true';
  if (token !== '') {
    if (url === '') throw new UsageError('ATRIUM_TOKEN is set, but not ATRIUM_URL, the URL of its server.');
    if (!tokenPattern.test(token)) throw new UsageError('ATRIUM_TOKEN is not a token.');
    return { origin: parseServerUrl(url, allowsHttp), token };
  }
  const logins = readLogins(configDirectory);
  const server = url === '' ? logins.current : url;
  if (server === undefined) throw new UsageError('Run atrium login URL, or set ATRIUM_URL and ATRIUM_TOKEN.');
  const origin = parseServerUrl(server, allowsHttp);
  const login = findLogin(logins, origin);
  if (login === undefined)
    throw new UsageError(`There is no login for ${origin}. Run atrium login ${origin}, or set ATRIUM_TOKEN.`);
  return { origin, token: await freshToken(place, origin, login) };
}

/** A token that expires this soon is replaced before it is used. */
const marginMs = 60_000;

const isFresh = ({ refreshToken, expiresAt = Infinity }: Login, now: number): boolean =>
  expiresAt - now > marginMs || refreshToken === undefined;

/** Returns the access token of a login, after it has replaced one that expires. */
async function freshToken(place: Place, origin: string, login: Login): Promise<string> {
  if (isFresh(login, place.now())) return login.accessToken;
  const { withRefreshLock } = await import('./refresh-lock.ts');
  return withRefreshLock(place, async () => {
    // Another process may have replaced the tokens meanwhile.
    const { accessToken, refreshToken } = findLogin(readLogins(place.configDirectory), origin) ?? login;
    if (refreshToken === undefined || refreshToken !== login.refreshToken) return accessToken;
    const { hasEnded, refreshLogin } = await import('./oauth.ts');
    try {
      const next = { refreshToken, ...(await refreshLogin(place, origin, refreshToken)) };
      writeLogin(place.configDirectory, origin, next);
      return next.accessToken;
    } catch (error) {
      if (!hasEnded(error)) throw error;
      throw new CommandFailure(`The login has ended. Run atrium login ${origin}.`, { cause: error });
    }
  });
}

/** The option of commands that work in one organization. */
export const organizationOption: CommandOption = {
  name: 'organization',
  placeholder: 'ORGANIZATION',
  help: 'its ID or its name; needed only if you have access to several',
  required: false,
};

/** Returns the organization with the ID or name of the option, or else the only one of the token. */
export async function getOrganizationId({ client }: Server, values: Arguments): Promise<string> {
  const organizations = [];
  for await (const item of client.items('GET /api/organizations')) organizations.push(item);
  const wanted = values['organization'];
  const found =
    wanted === undefined
      ? organizations
      : organizations.filter(({ id, name }) => id === wanted || name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  const names = organizations.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new UsageError(
    found.length === 0
      ? `The token has no access to ${wanted === undefined ? 'an organization' : `the organization ${wanted}`}.`
      : `Choose one of these organizations with --organization:\n${names}`,
  );
}
