import { sessionCookie } from '#contract/accounts/sessions.ts';
import { isToken } from '../base/tokens.ts';

/** Returns the session token of a `Cookie` header, or undefined when there is none. */
export function readSessionToken(cookieHeader: string | undefined): string | undefined {
  const token = readCookie(cookieHeader, sessionCookie);
  return token !== undefined && isToken(token) ? token : undefined;
}

/**
 * Returns the value of a cookie (RFC 6265, section 4.2), or undefined. Sent twice it counts as absent: another site of
 * the domain may have planted one of the two, and nothing tells which.
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
 * Without spaces and tabs: other white space is part of a name. Character by character, since a regular expression looks
 * at each of a long run of spaces again from each of them.
 */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Returns the `Set-Cookie` header that hands a session to the browser, for as long as `expiresAt` allows. */
export function sessionCookieHeader(token: string, expiresAt: string, isSecure: boolean): string {
  const expires = new Date(expiresAt).toUTCString();
  return `${sessionCookie}=${token}; Path=/; Expires=${expires}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** Returns the `Set-Cookie` header that makes the browser forget its session. */
export function endedSessionCookieHeader(isSecure: boolean): string {
  return sessionCookieHeader('', new Date(0).toISOString(), isSecure);
}
