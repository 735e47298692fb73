/** Why a server can't have passkeys. */
export type PasskeyObstacle = 'address' | 'insecure';

/**
 * Returns why passkeys can't work for the URL of a server, or undefined if they can: browsers only allow them for names of hosts, not for
 * IP addresses, and only over https, or on the computer itself (Web Authentication, section 5.1.3).
 */
export function passkeyObstacle(url: string): PasskeyObstacle | undefined {
  const { hostname, protocol } = new URL(url);
  if (hostname.startsWith('[') || /^[0-9]+(\.[0-9]+){3}$/.test(hostname)) return 'address';
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? undefined : 'insecure';
}
