/**
 * Returns a path of this server to go to after a sign-in, or `/` for anything that could lead elsewhere: another
 * scheme or host, however it is written or encoded, and what would break a header.
 */
export function returnPath(text: string | undefined): string {
  if (text === undefined || !isOwnPath(text)) return '/';
  try {
    return isOwnPath(decodeURIComponent(text)) ? text : '/';
  } catch {
    return '/';
  }
}

const isOwnPath = (text: string): boolean => text.length <= 2_000 && /^\/(?![/\\])[^\\\p{C}\s]*$/u.test(text);
