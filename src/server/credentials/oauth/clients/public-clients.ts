import { DisplayName } from '#contract/values.ts';
import { guardOf } from '#contract/validation/fault-finder.ts';
import { timestamp, type Clock } from '../../../base/clock.ts';
import { newId } from '../../../base/ids.ts';
import type { Database, Reader } from '../../../storage/database.ts';
import { OAuthError } from '../errors.ts';
import { findClient, insertClient, type PublicClient } from './store.ts';

const commandLine: PublicClient = {
  id: 'atrium-cli',
  name: 'Atrium command line',
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
  isBuiltIn: true,
};

/** Returns a public client. Throws `invalid_client` if it is not known. */
export async function requirePublicClient(
  reader: Reader,
  clientId: string | undefined,
): Promise<PublicClient> {
  if (clientId === commandLine.id) return commandLine;
  const client = clientId === undefined ? undefined : await findClient(reader, clientId);
  if (client === undefined) throw new OAuthError('invalid_client', 'The client is unknown.');
  return client;
}

const isDisplayName = guardOf(DisplayName);

const maxRedirectUris = 10;
const maxUriLength = 500;
/** The names that a browser takes for the same computer (RFC 8252, section 7.3). */
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** URIs of widespread programs whose schemes have no dot. Cursor sends this one with others, and gives up if any is refused. */
const knownUris: ReadonlySet<string> = new Set(['cursor://anysphere.cursor-mcp/oauth/callback']);

/**
 * Whether a client may have responses sent to a URI: by HTTPS, on the same computer, or by a scheme of its own with a dot in its name
 * (RFC 8252, section 7), and never one that a browser runs. It has no fragment and no credentials.
 */
function isRedirectUri(text: unknown): text is string {
  if (typeof text === 'string' && knownUris.has(text)) return true;
  if (typeof text !== 'string' || text.length > maxUriLength || /[\s#\\]/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return loopbackHosts.has(url.hostname);
  return /^[a-z][a-z0-9+-]*[.][a-z0-9.+-]+:$/.test(url.protocol);
}

/**
 * Whether a URI is one of a client's: exactly, except that on the same computer any port is accepted, since the client takes a free one
 * (RFC 8252, section 7.3).
 */
export function isUriOf({ redirectUris }: PublicClient, uri: string): boolean {
  if (redirectUris.includes(uri)) return true;
  const withoutPort = toLoopbackWithoutPort(uri);
  return withoutPort !== undefined && redirectUris.some((own) => toLoopbackWithoutPort(own) === withoutPort);
}

function toLoopbackWithoutPort(uri: string): string | undefined {
  const url = isRedirectUri(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== 'http:') return undefined;
  url.port = '';
  return url.href;
}

/** Registers a public client (RFC 7591, section 3). Throws `invalid_client_metadata` and `invalid_redirect_uri`. */
export async function registerClient(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  metadata: unknown,
): Promise<object> {
  const given = typeof metadata === 'object' && metadata !== null ? metadata : {};
  const {
    client_name: name,
    redirect_uris: uris,
    token_endpoint_auth_method: method,
  } = given as {
    client_name?: unknown;
    redirect_uris?: unknown;
    token_endpoint_auth_method?: unknown;
  };
  if (method !== undefined && method !== 'none') {
    throw new OAuthError(
      'invalid_client_metadata',
      'Clients that register are public: token_endpoint_auth_method must be none.',
    );
  }
  if (
    !Array.isArray(uris) ||
    uris.length === 0 ||
    uris.length > maxRedirectUris ||
    !uris.every(isRedirectUri)
  ) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `Send 1 to ${maxRedirectUris} URIs, each with https, with http on the loopback interface, or with a scheme that contains a dot.`,
    );
  }
  if (name !== undefined && !isDisplayName(name)) {
    throw new OAuthError('invalid_client_metadata', 'The name of the client is not valid.');
  }
  const now = clock();
  const client = { id: newId(), name: name ?? 'Program', redirectUris: uris };
  await database.write((transaction) => insertClient(transaction, client, timestamp(now)));
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(now / 1_000),
    client_name: client.name,
    redirect_uris: uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
