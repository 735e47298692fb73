import { LRUCache } from 'lru-cache';
import { keyOfTenant, type LimitKey, type Tenant } from '../base/tenant.ts';

/** A number of records, and the bytes of what is stored. */
export interface Amount {
  readonly records: number;
  readonly bytes: number;
}

/** The most that may be stored. */
export interface StorageLimits {
  readonly organization: Amount;
  /** Of a person outside of organizations. */
  readonly person: Amount;
}

/** How much of its limits a tenant uses: 1 is a limit. */
export type UsedShare = Readonly<Record<keyof Amount, number>>;

/**
 * What this process may still store for organizations and people before their usage is measured again, so that few writes need a query for
 * it.
 */
export interface Allowances {
  /** Undefined if nothing is limited, as for commands of the operator. */
  limits: StorageLimits | undefined;
  /** Called when something was refused. */
  onRefused: (quota: 'records' | 'bytes') => void;
  /** Takes what will be stored from the allowance. Returns false if it isn't enough. */
  take(key: LimitKey, amount: Amount): boolean;
  /** Replaces the allowance, for a minute. */
  grant(key: LimitKey, amount: Amount): void;
  /** Counts what will be stored without being taken from an allowance. */
  add(key: LimitKey, amount: Amount): void;
  /**
   * Returns what `run` measures. A measurement that takes long is used again for twenty times as long, with what was stored since, so that
   * whoever stores much can't keep others waiting by having it measured again and again.
   */
  usage(key: LimitKey, run: () => Promise<Amount>): Promise<Amount>;
  /** Remembers for an hour what a measurement has found. */
  onMeasured(tenant: Tenant, used: UsedShare): void;
  /** Returns the most that an organization, and a person, uses of each limit, of those that this process measured in the last hour. */
  fullest(): Readonly<Record<Tenant['kind'], UsedShare>>;
}

/** In which others can have stored more. */
const validForMs = 60_000;
const maxRemembered = 10_000;
const measuredForMs = 3_600_000;
/** A measurement that takes longer is used again, */
const longMeasurementMs = 50;
/** for this many times as long, but no longer than an allowance. */
const usedAgainTimes = 20;

const sumOf = (one: Amount, other: Amount): Amount => ({
  records: one.records + other.records,
  bytes: one.bytes + other.bytes,
});

export function createAllowances(clock = (): number => performance.now()): Allowances {
  const left = new LRUCache<LimitKey, Amount>({
    max: maxRemembered,
    ttl: validForMs,
    ttlResolution: 0,
    perf: { now: clock },
  });
  const measured = new LRUCache<LimitKey, UsedShare & { readonly kind: Tenant['kind'] }>({
    max: maxRemembered,
    ttl: measuredForMs,
    perf: { now: clock },
  });
  const usages = new LRUCache<LimitKey, Amount>({
    max: maxRemembered,
    ttl: validForMs,
    ttlResolution: 0,
    perf: { now: clock },
  });

  function add(key: LimitKey, amount: Amount): void {
    const usage = usages.get(key);
    if (usage !== undefined) usages.set(key, sumOf(usage, amount), { noUpdateTTL: true });
  }

  return {
    limits: undefined,
    onRefused: () => {},
    take(key, { records, bytes }) {
      const own = left.get(key);
      if (own === undefined || own.records < records || own.bytes < bytes) return false;
      left.set(key, { records: own.records - records, bytes: own.bytes - bytes }, { noUpdateTTL: true });
      add(key, { records, bytes });
      return true;
    },
    add,
    async usage(key, run) {
      const known = usages.get(key);
      if (known !== undefined) return known;
      const startedAt = clock();
      const usage = await run();
      const tookMs = clock() - startedAt;
      if (tookMs > longMeasurementMs)
        usages.set(key, usage, { ttl: Math.min(validForMs, tookMs * usedAgainTimes) });
      return usage;
    },
    grant: (key, amount) => void left.set(key, amount),
    onMeasured: (tenant, used) => void measured.set(keyOfTenant(tenant), { ...used, kind: tenant.kind }),
    fullest() {
      const most = { organization: { records: 0, bytes: 0 }, personal: { records: 0, bytes: 0 } };
      for (const { kind, records, bytes } of measured.values()) {
        const { [kind]: before } = most;
        most[kind] = {
          records: Math.max(before.records, records),
          bytes: Math.max(before.bytes, bytes),
        };
      }
      return most;
    },
  };
}
