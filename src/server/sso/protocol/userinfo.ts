import type { Configuration } from 'openid-client';
import { findOutgoingError } from '../../outgoing/outgoing-error.ts';
import { isEmailDenied, type Claims } from './claims.ts';
import { loadProtocol } from './library.ts';
import { reasonOf } from './provider/refusal.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

/**
 * Returns the claims of the UserInfo endpoint (OpenID Connect Core 1.0, section 5.3) about the person with this `sub`,
 * from JSON or a signed token. With `isHidden`, errors have nothing of the response. Throws the `SignInRefusal` `userinfo_failed`, also if the response is about someone else.
 */
export async function fetchUserInfo(
  configuration: Configuration,
  accessToken: string,
  { subject, isHidden }: { readonly subject: string; readonly isHidden: boolean },
): Promise<Claims> {
  const client = await loadProtocol();
  try {
    return await client.fetchUserInfo(configuration, accessToken, subject);
  } catch (error) {
    if (findOutgoingError(error) !== undefined) throw error;
    const status = statusOf(error);
    const what =
      status === undefined
        ? `returned an invalid response${isHidden ? '' : `: ${reasonOf(error).slice(0, 300)}`}.`
        : `returned status ${status}.`;
    throw new SignInRefusal(
      'userinfo_failed',
      {
        message: `The ID token lacks claims that signing in needs, and the UserInfo endpoint ${what}`,
        remedy:
          'Have the identity provider put the email address, the name and the claims that are mapped to roles into the ID ' +
          'token, or check its log for the request to the UserInfo endpoint.',
      },
      error,
    );
  }
}

/** The library passes the response on as the cause of its error, or as a part of it. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof Response) return error.status === 200 ? undefined : error.status;
  if (!(error instanceof Error)) return undefined;
  if ('response' in error && error.response instanceof Response) return statusOf(error.response);
  return statusOf(error.cause);
}

/** AD FS puts nothing but `sub` there (Microsoft, "AD FS OpenID Connect/OAuth flows and application scenarios"). */
const isOfAdfs = (issuer: string): boolean => new URL(issuer).pathname === '/adfs';

/** Whether a provider has a UserInfo endpoint with more than the ID token, at a URL of the discovery URL's scheme. */
export function hasUserInfo(
  { issuer, userinfo_endpoint: endpoint }: { issuer: string; userinfo_endpoint?: string },
  discoveryUrl: string,
): boolean {
  if (endpoint === undefined || isOfAdfs(issuer)) return false;
  return new URL(endpoint).protocol === new URL(discoveryUrl).protocol;
}

/**
 * Returns the claims of an ID token, and those of `names` that only the UserInfo endpoint has. It never replaces a
 * claim of the ID token, and its addresses don't count as confirmed because the ID token says so about others.
 */
export function withUserInfo(claims: Claims, info: Claims, names: readonly string[]): Claims {
  const denied = isEmailDenied(info) && claims['email_verified'] !== undefined ? addressClaims : [];
  // Otherwise, what is said about one address would confirm the other.
  const vouchesForOther =
    claims['email'] !== undefined && claims['email'] !== info['email'] && !isEmailDenied(info);
  const hidden = [...denied, ...(vouchesForOther ? ['email_verified'] : [])];
  const added = names.filter((name) => Object.hasOwn(info, name) && !hidden.includes(name));
  return { ...Object.fromEntries(added.map((name) => [name, info[name]])), ...claims };
}

const addressClaims = ['email', 'preferred_username', 'upn'];
