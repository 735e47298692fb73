import { isToken } from '../base/tokens.ts';
import { readCookie } from './session-cookie.ts';

const name = 'atrium.sign_in';
const lifetimeS = 600;

/** Returns the token that binds a sign-in under way to this browser (RFC 9700, section 4.7), or undefined. */
export function readSignInToken(cookieHeader: string | undefined): string | undefined {
  const token = readCookie(cookieHeader, name);
  return token !== undefined && isToken(token) ? token : undefined;
}

/** Returns the `Set-Cookie` header that binds a sign-in to the browser, for as long as a sign-in may take. */
export const signInCookieHeader = (token: string, isSecure: boolean): string =>
  `${name}=${token}; Path=/api; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
