import ipaddr from 'ipaddr.js';
import { minutesMs, type Clock } from '../base/clock.ts';
import type { LimitedClient } from './sign-in-limits.ts';

const warnEveryMs = minutesMs(10);

/** Ranges of addresses that people on the internet do not come from, but that a proxy beside the server has. */
const privateRanges = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Returns what hears of addresses that a limit refuses, and warns, once in ten minutes, when such an address seems to be a
 * proxy's: then everybody behind the proxy counts as one, and all of them are refused.
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
      `Sign-ins from ${address} are refused: too many attempts. If that is the address of a proxy, everybody behind it is ` +
        'refused. Set ATRIUM_TRUSTED_PROXIES to it, so that the addresses of the people are counted.',
    );
  };
}

const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range());
