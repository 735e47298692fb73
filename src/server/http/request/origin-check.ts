import type { IncomingHttpHeaders } from 'node:http';
import { AtriumError } from '../../base/errors.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a browser sent this request, which may change something, from a page of another site. Programs send
 * neither header. What the request says of its own host is never asked: the origin to compare is the setting's.
 */
export function isCrossSite(method: string, headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (safeMethods.has(method)) return false;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  return headers.origin !== undefined && headers.origin !== publicUrl;
}

/** Whether a browser asks for a page, to show it. */
export const takesPages = ({ accept }: IncomingHttpHeaders): boolean =>
  accept?.includes('text/html') === true;

/**
 * Throws `not_a_navigation` unless the request is a top-level navigation: an image, a script or a frame on another site of
 * the same domain must not start or complete a sign-in (Fetch Metadata, section 2). Browsers don't send these headers over
 * plain http, and old browsers never do: then `Accept` decides. Every browser sends `Accept`, so a request without it comes
 * from a program, which cannot be tricked into sending it.
 */
export function requireNavigation(headers: IncomingHttpHeaders): void {
  const [mode, destination] = [headers['sec-fetch-mode'], headers['sec-fetch-dest']];
  const isPage =
    mode === undefined && destination === undefined
      ? headers.accept === undefined || takesPages(headers)
      : mode === 'navigate' && destination === 'document';
  if (isPage && headers['sec-purpose'] === undefined) return;
  throw new AtriumError(
    'not_a_navigation',
    'Signing in works only as a page of its own: open this address in a browser, not embedded in another page.',
  );
}

/**
 * Whether a browser follows a link that is not on a page of ours. `none` is one in a mail or typed by hand; browsers
 * leave the header out where the address is plain http (Fetch Metadata, section 2).
 */
export const isFollowedFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  takesPages(headers) && headers['sec-fetch-site'] !== 'same-origin';
