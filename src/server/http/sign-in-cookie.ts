import { isToken } from '../base/tokens.ts';
import { readCookie } from './session-cookie.ts';

const lifetimeS = 600;

/**
 * With the prefix, no other host of the domain can set it (RFC 6265bis, section 4.1.3.2); browsers require https for
 * that.
 */
const nameOf = (isSecure: boolean): string => (isSecure ? '__Host-atrium.sign_in' : 'atrium.sign_in');

/** Returns the token that binds a sign-in in progress to this browser (RFC 9700, section 4.7), or undefined. */
export function readSignInToken(cookieHeader: string | undefined, isSecure: boolean): string | undefined {
  const token = readCookie(cookieHeader, nameOf(isSecure));
  return token !== undefined && isToken(token) ? token : undefined;
}

/** Returns the `Set-Cookie` header that binds a sign-in to the browser, for as long as a sign-in may take. */
export const signInCookieHeader = (token: string, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${token}; Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
