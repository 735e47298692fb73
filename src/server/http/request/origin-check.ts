import type { IncomingHttpHeaders } from 'node:http';
import { AtriumError } from '../../base/errors.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a browser sent this request, which may change something, from a page of another site. Programs send neither
 * header. The origin is compared with the setting, never with the request's own host, which can't be trusted.
 */
export function isCrossSite(method: string, headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (safeMethods.has(method)) return false;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  return headers.origin !== undefined && headers.origin !== publicUrl;
}

/** Whether the client accepts HTML, as a browser that shows a page does. */
export const acceptsHtml = ({ accept }: IncomingHttpHeaders): boolean =>
  accept?.includes('text/html') === true;

/**
 * Throws `not_a_navigation` unless the request is a top-level navigation: an image, a script or a frame on another site
 * of the same domain must not start or complete a sign-in (Fetch Metadata, section 2). Browsers don't send these
 * headers over plain http, and old browsers never do: then `Accept` decides. Every browser sends `Accept`, so a request
 * without it comes from a program, which cannot be tricked into sending it.
 */
export function requireNavigation(headers: IncomingHttpHeaders): void {
  const [mode, destination] = [headers['sec-fetch-mode'], headers['sec-fetch-dest']];
  const isPage =
    mode === undefined && destination === undefined
      ? headers.accept === undefined || acceptsHtml(headers)
      : mode === 'navigate' && destination === 'document';
  if (isPage && headers['sec-purpose'] === undefined) return;
  throw new AtriumError(
    'not_a_navigation',
    'You can’t sign in inside another page. Open this URL directly in a browser.',
  );
}

/**
 * Whether a browser follows a link that is not on a page of this server. `none` is a link in an email or one entered by
 * hand; browsers leave the header out if the URL is plain http (Fetch Metadata, section 2).
 */
export const isLinkFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  acceptsHtml(headers) && headers['sec-fetch-site'] !== 'same-origin';

/**
 * Throws `forbidden` if a page of another site sent the browser here: the request reads something, but people are notified of it,
 * and it takes work. Browsers leave the header out if the URL is plain http.
 */
export function requireOwnPage({ 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  if (site === 'cross-site' || site === 'same-site')
    throw new AtriumError(
      'forbidden',
      'A page of another site asked for this. Start it on a page of Atrium.',
    );
}
