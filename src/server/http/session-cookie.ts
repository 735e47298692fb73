import { sessionCookie } from '#contract/accounts/sessions.ts';
import { isToken } from '../base/credentials/tokens.ts';

/** Returns the session token of a `Cookie` header, or undefined if there is none. */
export function readSessionToken(cookieHeader: string | undefined): string | undefined {
  const token = readCookie(cookieHeader, sessionCookie);
  return token !== undefined && isToken(token) ? token : undefined;
}

/**
 * Returns the value of a cookie (RFC 6265, section 4.2), or undefined. A cookie that is sent twice counts as absent:
 * another site of the domain may have planted one of the two, and the header doesn't show which. The package `cookie`
 * can't do this: it returns the first and drops the second.
 */
export function readCookie(cookieHeader: string | undefined, name: string): string | undefined {
  if (cookieHeader === undefined) return undefined;
  let value: string | undefined;
  for (const pair of cookieHeader.split(';')) {
    const separator = pair.indexOf('=');
    if (separator === -1 || trimmed(pair.slice(0, separator)) !== name) continue;
    if (value !== undefined) return undefined;
    value = trimmed(pair.slice(separator + 1));
  }
  return value;
}

/**
 * Removes spaces and tabs around a text: other white space is part of a name. Goes character by character, since a
 * regular expression takes quadratic time for a long run of spaces.
 */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/**
 * Returns the `Set-Cookie` header that gives a session to the browser until `expiresAt`. It has the seconds until then, since the clock
 * of the browser can be wrong (RFC 6265, section 4.1.2.2).
 */
export const sessionCookieHeader = (
  token: string,
  {
    expiresAt,
    now,
    isSecure,
  }: { readonly expiresAt: string; readonly now: number; readonly isSecure: boolean },
): string => cookieHeader(token, Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1_000)), isSecure);

/** Returns the `Set-Cookie` header that removes the session from the browser. */
export const endedSessionCookieHeader = (isSecure: boolean): string => cookieHeader('', 0, isSecure);

const cookieHeader = (token: string, maxAgeSeconds: number, isSecure: boolean): string =>
  `${sessionCookie}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
