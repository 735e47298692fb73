/** Reads the page to return to, an email address to begin with, and the organization of a link from elsewhere. */
export function readSignInSearch({ returnTo, email, tile }: Readonly<Record<string, unknown>>): {
  returnTo?: string;
  email?: string;
  /** The organization whose directory a link from elsewhere opens. */
  tile?: string;
} {
  return {
    ...(typeof returnTo === 'string' && { returnTo }),
    ...(typeof email === 'string' && { email }),
    ...(typeof tile === 'string' && { tile }),
  };
}
