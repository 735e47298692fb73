import { isToken } from '../base/credentials/tokens.ts';
import { readCookie } from './session-cookie.ts';

const lifetimeS = 600;
const directoryName = 'atrium.sign_in';
const secondStepName = 'atrium.second_step';
const passkeyName = 'atrium.passkey';

/**
 * With the prefix, no other host of the domain can set it (RFC 6265bis, section 4.1.3.2); browsers require https for
 * that.
 */
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** Returns the token that binds a sign-in through a directory to this browser (RFC 9700, section 4.7), or undefined. */
export const readSignInToken = (cookieHeader: string | undefined, isSecure: boolean): string | undefined =>
  readTokenOf(directoryName, cookieHeader, isSecure);

/** Returns the token of a sign-in whose password was correct in this browser, or undefined. */
export const readSecondStepToken = (
  cookieHeader: string | undefined,
  isSecure: boolean,
): string | undefined => readTokenOf(secondStepName, cookieHeader, isSecure);

/** Returns the token of the challenge that this browser was sent for a passkey, or undefined. */
export const readPasskeyToken = (cookieHeader: string | undefined, isSecure: boolean): string | undefined =>
  readTokenOf(passkeyName, cookieHeader, isSecure);

function readTokenOf(name: string, cookieHeader: string | undefined, isSecure: boolean): string | undefined {
  const token = readCookie(cookieHeader, nameOf(name, isSecure));
  return token !== undefined && isToken(token) ? token : undefined;
}

/** Returns the `Set-Cookie` header that binds a sign-in to the browser, for as long as a sign-in may take. */
export const signInCookieHeader = (token: string, isSecure: boolean): string =>
  `${nameOf(directoryName, isSecure)}=${token}; ${attributes('Lax', isSecure)}`;

/** Returns the `Set-Cookie` header for a sign-in that waits for a second factor. Only requests of our own pages carry it. */
export const secondStepCookieHeader = (token: string, isSecure: boolean): string =>
  `${nameOf(secondStepName, isSecure)}=${token}; ${attributes('Strict', isSecure)}`;

/** Returns the `Set-Cookie` header for a challenge. Only requests of our own pages carry it. */
export const passkeyCookieHeader = (token: string, isSecure: boolean): string =>
  `${nameOf(passkeyName, isSecure)}=${token}; ${attributes('Strict', isSecure)}`;

const attributes = (sameSite: 'Lax' | 'Strict', isSecure: boolean): string =>
  `Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
