import { paths } from '../paths.ts';

/** The sign-in page, from which one comes back to `address`. */
export const signInAddress = (address: string): string =>
  address === paths.home
    ? paths.signIn
    : `${paths.signIn}?${new URLSearchParams({ returnTo: address }).toString()}`;

/** Where to go after a sign-in: a path of this server, or `/` in the place of anything else. */
export function ownPath(returnTo: string | undefined): string {
  if (returnTo === undefined || !returnTo.startsWith('/')) return paths.home;
  const url = URL.parse(returnTo, location.origin);
  return url?.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : paths.home;
}
