import type { Place } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import { printable } from '../usage/printable.ts';
import { fetchWithin } from './fetch-within.ts';
import type { Login } from './logins.ts';

/** The public client that every server knows. */
const clientId = 'atrium-cli';
/** The paths are fixed instead of read from the metadata, which could name another host. */
const paths = {
  token: '/api/oauth/token',
  device: '/api/oauth/device_authorization',
  revoke: '/api/oauth/revoke',
} as const;

type OAuthPlace = Pick<Place, 'fetch' | 'wait' | 'now' | 'warn'>;

/** An error of OAuth (RFC 6749, section 5.2, and RFC 8628, section 3.5). */
class OAuthFailure extends CommandFailure {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
  readonly interval?: number;
}

interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/**
 * Returns the tokens of a person who authorizes this program in a browser (RFC 8628). Throws a `CommandFailure` if they refuse, or
 * don't in time.
 */
export async function authorizeDevice(place: OAuthPlace, origin: string, scope: string): Promise<Login> {
  const started = place.now();
  const device = (await post(place, origin, paths.device, {
    client_id: clientId,
    scope,
  })) as DeviceAuthorization;
  const expiresAt = started + device.expires_in * 1000;
  place.warn(`Open ${printable(device.verification_uri)} and enter the code ${printable(device.user_code)}`);
  let intervalSeconds = device.interval ?? 5;
  for (;;) {
    await place.wait(intervalSeconds * 1000);
    if (place.now() >= expiresAt) throw new CommandFailure('The code has expired. Log in again.');
    try {
      const grant = {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: device.device_code,
      };
      return toLogin(place, await post(place, origin, paths.token, { ...grant, client_id: clientId }));
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error;
      if (error.code === 'slow_down') intervalSeconds += 5;
      else if (error.code !== 'authorization_pending') throw error;
    }
  }
}

/** Returns the successors of the tokens of a login. Throws a `CommandFailure` if it has ended. */
export async function refreshLogin(place: OAuthPlace, origin: string, refreshToken: string): Promise<Login> {
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
  return toLogin(place, await post(place, origin, paths.token, grant));
}

/** Ends a login on the server (RFC 7009). */
export async function revokeLogin(place: OAuthPlace, origin: string, token: string): Promise<void> {
  await post(place, origin, paths.revoke, { token, client_id: clientId });
}

function toLogin({ now }: OAuthPlace, response: object): Login {
  const { access_token, refresh_token, expires_in } = response as TokenResponse;
  if (typeof access_token !== 'string') throw new CommandFailure('The server sent no token.');
  return {
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: now() + expires_in * 1000 }),
  };
}

async function post(
  place: OAuthPlace,
  origin: string,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<object> {
  const response = await fetchWithin(origin, place)(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  if (response.ok) return text === '' ? {} : (JSON.parse(text) as object);
  if (response.status === 404)
    throw new CommandFailure(`${origin} doesn't offer to log in. Set ATRIUM_URL and ATRIUM_TOKEN.`);
  const { error, error_description: description, detail } = toError(text);
  throw new OAuthFailure(
    error ?? '',
    messages[error ?? ''] ?? description ?? detail ?? `The server responded with ${response.status}.`,
  );
}

/** Texts for people, who don't read RFCs. */
const messages: Readonly<Record<string, string | undefined>> = {
  access_denied: 'The login was refused in the browser.',
  expired_token: 'The code has expired. Log in again.',
};

function toError(text: string): { error?: string; error_description?: string; detail?: string } {
  try {
    return JSON.parse(text) as { error?: string };
  } catch {
    return {};
  }
}

/** Whether a login has ended on the server. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof OAuthFailure && error.code === 'invalid_grant';
