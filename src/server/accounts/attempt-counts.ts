import { minutesMs, type Clock } from '../base/clock.ts';
import type { Database } from '../storage/database.ts';
import { countLimited, type LimitedKey, type ReachedLimit } from '../storage/limited-counts.ts';
import { prepare } from '../storage/prepared-query.ts';

/** Counts of attempts that all processes of the database share. They start again `windowMs` after the first attempt. */
export interface AttemptCounts {
  readonly windowMs: number;
  /** Counts an attempt under every key, or under none and returns a key whose limit was reached. */
  add(keys: readonly LimitedKey[]): Promise<ReachedLimit | undefined>;
  /** Counts one attempt less under each of `keys`, and starts again under `reset`. */
  subtract(keys: readonly LimitedKey[], reset: LimitedKey): Promise<void>;
}

const windowMs = minutesMs(15);
/** At most this many blocked keys are remembered. Others are looked up. */
const maxRemembered = 10_000;

const subtract = prepare((sql, p: { keys: readonly string[] }) =>
  sql
    .updateTable('limited_attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', 'in', p.keys)
    .where('count', '>', 0),
);
const remove = prepare((sql, p: { key: string }) =>
  sql.deleteFrom('limited_attempts').where('key', '=', p.key),
);
const removeOld = prepare((sql, p: { now: number }) =>
  sql.deleteFrom('limited_attempts').where('expires_at', '<=', p.now),
);

/** Thrown to undo the counts of a refused attempt. */
class Reached extends Error {
  readonly limit: ReachedLimit;
  constructor(limit: ReachedLimit) {
    super('The limit of attempts is reached.');
    this.limit = limit;
  }
}

/** Returns the counts of a database. Each process remembers which keys are blocked, so that a flood writes nothing. */
export function createAttemptCounts(database: Database, clock: Clock): AttemptCounts {
  const blockedUntil = new Map<string, number>();

  function findBlocked(keys: readonly LimitedKey[], now: number): ReachedLimit | undefined {
    for (const limited of keys) {
      const until = blockedUntil.get(limited.key);
      if (until === undefined) continue;
      if (until > now) return { ...limited, waitMs: until - now };
      blockedUntil.delete(limited.key);
    }
    return undefined;
  }

  function remember({ key, waitMs }: ReachedLimit, now: number): void {
    const [oldest] = blockedUntil.keys();
    if (blockedUntil.size >= maxRemembered && oldest !== undefined) blockedUntil.delete(oldest);
    blockedUntil.set(key, now + waitMs);
  }

  return {
    windowMs,
    async add(keys) {
      const now = clock();
      const blocked = findBlocked(keys, now);
      if (blocked !== undefined) return blocked;
      // Always in the same order, so that attempts at the same time don't lock each other out.
      const ordered = keys.toSorted((one, other) => (one.key < other.key ? -1 : 1));
      try {
        await database.write(async (transaction) => {
          for (const each of ordered) {
            const reached = await countLimited(transaction, each, { now, windowMs });
            if (reached !== undefined) throw new Reached(reached);
          }
        });
        return undefined;
      } catch (error) {
        if (!(error instanceof Reached)) throw error;
        remember(error.limit, now);
        return error.limit;
      }
    },
    subtract: async (keys, reset) =>
      database.write(async (transaction) => {
        await transaction.run(subtract, { keys: keys.map(({ key }) => key) });
        await transaction.run(remove, { key: reset.key });
      }),
  };
}

/** Deletes the counts that start again anyway. */
export async function sweepAttempts(database: Database, clock: Clock): Promise<void> {
  await database.writeSlowly((transaction) => transaction.run(removeOld, { now: clock() }));
}
