import { RateLimiterRes, type RateLimiterMemory } from 'rate-limiter-flexible';
import { AtriumError } from './errors.ts';

/**
 * Counts an attempt for a key. Throws `too_many_attempts` with how long to wait; `what` is what is counted. The header fields
 * are those of RFC 9110 (section 10.2.3) and of draft-ietf-httpapi-ratelimit-headers-10.
 */
export async function consume(limiter: RateLimiterMemory, key: string, what = 'attempts'): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (limit) {
    if (!(limit instanceof RateLimiterRes)) throw limit;
    const minutes = Math.ceil(limit.msBeforeNext / 60_000);
    const seconds = String(Math.ceil(limit.msBeforeNext / 1_000));
    throw new AtriumError('too_many_attempts', `Too many ${what}. Try again in ${minutes} min.`, {
      headers: {
        'retry-after': seconds,
        ratelimit: `"default";r=0;t=${seconds}`,
        'ratelimit-policy': `"default";q=${limiter.points};w=${limiter.duration}`,
      },
    });
  }
}
