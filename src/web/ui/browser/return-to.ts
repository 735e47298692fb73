import { paths } from '../../app/paths.ts';

/** The sign-in page, from which one comes back to `address`. */
export const signInAddress = (address: string): string =>
  address === paths.home
    ? paths.signIn
    : `${paths.signIn}?${new URLSearchParams({ returnTo: address }).toString()}`;

/** Where to go after a sign-in: a path of this server, or `/` in the place of anything else. */
export function ownPath(returnTo: string | undefined, origin: string = location.origin): string {
  if (returnTo === undefined || !returnTo.startsWith('/')) return paths.home;
  const url = URL.parse(returnTo, origin);
  if (url?.origin !== origin) return paths.home;
  // What dots leave behind begins anew: `/x/..//host` is `//host`.
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith('//') ? paths.home : path;
}
