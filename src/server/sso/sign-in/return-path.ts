const maxLength = 2_000;
/** The origin to resolve paths against; a URL with a different one leads elsewhere. */
const ownOrigin = 'http://atrium.invalid';

/**
 * Returns the path of this server to open after a sign-in, in ASCII for a header, or `/` for anything that could lead
 * elsewhere (another scheme or host, however it is written or encoded) or would break a header.
 */
export function returnPath(text: string | undefined): string {
  if (text === undefined || !isOwnPath(text) || !isOwnPath(decoded(text))) return '/';
  const url = URL.parse(text, ownOrigin);
  if (url?.origin !== ownOrigin) return '/';
  // Resolving `..` can create a new start: `/x/..//host` becomes `//host`.
  const path = `${url.pathname}${url.search}${url.hash}`;
  return isOwnPath(path) && isOwnPath(decoded(path)) ? path : '/';
}

/**
 * One slash at the start, no backslash in the path, and no control characters, since browsers drop tabs and line
 * breaks.
 */
const isOwnPath = (text: string): boolean =>
  text.length <= maxLength && /^\/(?![/\\])[^\\?#\p{C}]*([?#]\P{C}*)?$/u.test(text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
