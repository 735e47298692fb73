import { minutesMs, type Clock } from '../../base/clock.ts';
import type { LimitKey } from '../../base/tenant.ts';

/** How many buckets are in memory at the same time: about 2 MB. */
const maxKeys = 10_000;

/** What somebody may still use. It is below zero after they have used more than there was. */
export interface Bucket {
  left: number;
  refilledAt: number;
}

/** Amounts that are used up, and refilled at a constant rate until they are full again. */
export interface Buckets {
  /** Returns the bucket of a key, refilled up to now; a full one if nothing was used yet. */
  readonly open: (key: LimitKey) => Bucket;
  /** Takes what was used, whether it was there or not. Nobody owes more than what is refilled in a minute. */
  readonly use: (bucket: Bucket, amount: number) => void;
  /** Returns the seconds after which a bucket has `amount`, at least 1. */
  readonly secondsUntil: (bucket: Bucket, amount: number) => number;
}

export function createBuckets({
  clock,
  capacity,
  perMinute,
}: {
  readonly clock: Clock;
  readonly capacity: number;
  readonly perMinute: number;
}): Buckets {
  /** In the order of their first use. */
  const buckets = new Map<LimitKey, Bucket>();
  const perMs = perMinute / minutesMs(1);

  function add(key: LimitKey): Bucket {
    const [oldest] = buckets.size < maxKeys ? [] : buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
    const bucket = { left: capacity, refilledAt: clock() };
    buckets.set(key, bucket);
    return bucket;
  }

  return {
    open(key) {
      const bucket = buckets.get(key) ?? add(key);
      const now = clock();
      // A clock that was set back refills nothing, and nothing is lost either.
      const refill = Math.max(0, now - bucket.refilledAt) * perMs;
      bucket.left = Math.min(capacity, bucket.left + refill);
      bucket.refilledAt = now;
      return bucket;
    },
    use(bucket, amount) {
      bucket.left = Math.max(-perMinute, bucket.left - amount);
    },
    secondsUntil: (bucket, amount) => Math.max(1, Math.ceil((amount - bucket.left) / perMs / 1_000)),
  };
}
