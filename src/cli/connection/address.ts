import { CommandFailure } from '../failure.ts';

/**
 * Returns the origin of the server that a person named. Throws a `CommandFailure` unless the URL is one of https, or of http on this
 * machine: a token would otherwise travel without encryption. `allowsHttp` allows http to every host.
 */
export function parseServerUrl(text: string, allowsHttp = false): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandFailure('The URL of the server must have the form https://atrium.example.com.');
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new CommandFailure(
      'The URL of the server must be its origin, such as https://atrium.example.com, without a path, a user or a password.',
    );
  if (url.protocol === 'http:' && !allowsHttp && !isLoopback(url.hostname))
    throw new CommandFailure(
      `The token would be sent to ${url.host} without encryption. Use https. On a network that you trust, set ATRIUM_ALLOW_HTTP=true.`,
    );
  return url.origin;
}

/** `URL` has already brought addresses into one form, such as 127.0.0.1 for 0x7f.1. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127[.]\d+[.]\d+[.]\d+$/.test(host);
