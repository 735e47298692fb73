import ipaddr from 'ipaddr.js';
import type RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { AtriumError } from './errors.ts';

/**
 * Counts an attempt for a key. Throws `too_many_attempts` with how long to wait; `what` is what is counted.
 */
export async function consume(limiter: RateLimiterMemory, key: string, what = 'attempts'): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (limit) {
    if (!(limit instanceof RateLimiterRes)) throw limit;
    const { points, duration } = limiter;
    throw tooManyAttempts({ limit: points, windowMs: duration * 1_000, waitMs: limit.msBeforeNext }, what);
  }
}

/**
 * Returns `too_many_attempts` for a limit in a window of time. The header fields are those of RFC 9110 (section 10.2.3)
 * and of draft-ietf-httpapi-ratelimit-headers-10.
 */
export function tooManyAttempts(
  { limit, windowMs, waitMs }: { limit: number; windowMs: number; waitMs: number },
  what = 'attempts',
): AtriumError {
  const minutes = Math.ceil(waitMs / 60_000);
  const seconds = String(Math.ceil(waitMs / 1_000));
  return new AtriumError('too_many_attempts', `Too many ${what}. Try again in ${minutes} min.`, {
    headers: {
      'retry-after': seconds,
      ratelimit: `"default";r=0;t=${seconds}`,
      'ratelimit-policy': `"default";q=${limit};w=${windowMs / 1_000}`,
    },
  });
}

/**
 * Returns the network of an address. People with one IPv6 address have the 2^64 of its network (RFC 6177), which count
 * as one.
 */
export const networkOf = (address: string): string => prefixOf(address, 4);

/** Returns the site of an address. People with a site have the 2^16 networks of its prefix (RFC 6177, section 2). */
export const siteOf = (address: string): string => prefixOf(address, 3);

/** Returns the first 16-bit parts of an IPv6 address, or an IPv4 address unchanged. */
function prefixOf(address: string, parts: number): string {
  if (!ipaddr.IPv6.isValid(address) || address.includes('.')) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, parts).join(':');
}
