const lengthAtMost = 2_000;
/** Only to resolve against: whatever leaves it leads elsewhere. */
const ownOrigin = 'http://atrium.invalid';

/**
 * Returns a path of this server to go to after a sign-in, in ASCII as a header takes it, or `/` for anything that
 * could lead elsewhere: another scheme or host, however it is written or encoded, and what would break a header.
 */
export function returnPath(text: string | undefined): string {
  if (text === undefined || !isOwnPath(text) || !isOwnPath(decoded(text))) return '/';
  const url = URL.parse(text, ownOrigin);
  if (url?.origin !== ownOrigin) return '/';
  // What `..` leaves behind begins anew: `/x/..//host` is `//host`.
  const path = `${url.pathname}${url.search}${url.hash}`;
  return isOwnPath(path) && isOwnPath(decoded(path)) ? path : '/';
}

/** One slash at the start, then no backslash in the path, and nothing that controls: browsers drop tabs and breaks. */
const isOwnPath = (text: string): boolean =>
  text.length <= lengthAtMost && /^\/(?![/\\])[^\\?#\p{C}]*([?#]\P{C}*)?$/u.test(text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
