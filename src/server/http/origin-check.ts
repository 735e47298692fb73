import type { IncomingHttpHeaders } from 'node:http';

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
 * Whether a browser follows a link that is not on a page of ours. `none` is one in a mail or typed by hand; browsers
 * leave the header out where the address is plain http (Fetch Metadata, section 2).
 */
export const isFollowedFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  takesPages(headers) && headers['sec-fetch-site'] !== 'same-origin';
