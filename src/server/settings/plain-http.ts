/** What can happen to a server without TLS, and what to do about it. */
export interface PlainHttpRisk {
  /** Whether only this machine reaches the server. */
  readonly isLocal: boolean;
  readonly message: string;
  readonly remedy: string;
}

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the risk of a public URL without TLS; undefined for one with TLS. Without it, a cookie can't be bound to this server: every
 * port of the host, and every host that shares its domain, can set a session cookie that takes the place of the right one.
 */
export function plainHttpRisk(publicUrl: string): PlainHttpRisk | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return undefined;
  const isLocal = localHosts.has(hostname);
  const consequence = isLocal
    ? 'Other programs on this machine that serve pages can replace its cookies.'
    : 'Others on the network can read and change everything, and other sites on this host name can replace its cookies.';
  return {
    isLocal,
    message: `ATRIUM_PUBLIC_URL is ${publicUrl}: a server without TLS is for trials. ${consequence}`,
    remedy: 'Put a reverse proxy with TLS in front of Atrium, and set ATRIUM_PUBLIC_URL to its https:// URL.',
  };
}
