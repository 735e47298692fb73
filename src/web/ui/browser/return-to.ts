import { paths } from '../../app/paths.ts';

/** Returns the URL of the sign-in page, which then returns to `address`. */
export const signInAddress = (address: string): string =>
  address === paths.home
    ? paths.signIn
    : `${paths.signIn}?${new URLSearchParams({ returnTo: address }).toString()}`;

/** Returns where to go after a sign-in: `returnTo` if it is a path of this server, otherwise `/`. */
export function ownPath(returnTo: string | undefined, origin: string = location.origin): string {
  if (returnTo === undefined || !returnTo.startsWith('/')) return paths.home;
  const url = URL.parse(returnTo, origin);
  if (url?.origin !== origin) return paths.home;
  // Resolving dot segments can uncover a host: `/x/..//host` becomes `//host`.
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith('//') ? paths.home : path;
}
