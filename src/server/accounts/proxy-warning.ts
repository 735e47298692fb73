import ipaddr from 'ipaddr.js';
import { minutesMs, type Clock } from '../base/clock.ts';
import type { LimitedClient } from './sign-in-limits.ts';

const warnEveryMs = minutesMs(10);

/** Address ranges that no client on the internet has, but a proxy in the server's network can have. */
const privateRanges = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Returns a listener for addresses that a limit refuses. It warns, once in ten minutes, if such an address seems to be
 * a proxy's: then everyone behind the proxy counts as one client, and all of them are refused.
 */
export function createProxyWarning(
  clock: Clock,
  warn: (details: object, message: string) => void,
): (client: LimitedClient) => void {
  let warnedAt = -Infinity;
  return ({ address, isForwarded = false }) => {
    const now = clock();
    if (now - warnedAt < warnEveryMs || !(isForwarded || isPrivate(address))) return;
    warnedAt = now;
    warn(
      { address, isForwarded },
      `Sign-ins from ${address} are refused: too many attempts. If this is the address of a proxy, everyone behind it is ` +
        'refused. Add it to ATRIUM_TRUSTED_PROXIES, so that attempts are counted for each client address.',
    );
  };
}

const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range());
