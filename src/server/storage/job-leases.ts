import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import { prepare, type Engine } from './prepared-query.ts';

/** What the processes of a database know about a job together. Times are in milliseconds since 1970. */
export interface SharedJob {
  /** How long until the job is due, or until the lease of another process ends, if it has one; 0 if it can be run now. */
  readonly waitMs: number;
  /** When it is to run next or, while it runs, when it was to start. */
  readonly dueAt: number;
  readonly succeededAt: number | undefined;
  readonly lastDurationMs: number | undefined;
  readonly failureCount: number;
  readonly isFailing: boolean;
}

/** How a run has ended. */
export interface JobEnd {
  readonly durationMs: number;
  readonly hasFailed: boolean;
  /** How long after its end the job is due again, if that is sooner than usual. */
  readonly againMs?: number | undefined;
}

/** The right of one run to be the only one of its job, until it ends or is not renewed in time. */
export interface JobLease {
  /** Returns false if the lease has ended, so that another process may run the job. */
  renew(): Promise<boolean>;
  /** Ends the lease. Without an `end`, the job stays due. */
  release(end: JobEnd | undefined): Promise<void>;
}

export interface JobLeases {
  readonly leaseMs: number;
  /** How long after its end a job is due again, unless it has its own `everyMs`. */
  readonly everyMs: number;
  find(name: string, everyMs?: number): Promise<SharedJob>;
  /** Returns a lease if the job is due and no process has one; otherwise undefined. */
  take(name: string, everyMs?: number): Promise<JobLease | undefined>;
}

/**
 * The clock of the database, so that the clocks of the processes don't matter. Its standby may differ by a little, which
 * is much less than the duration of a lease.
 */
const now = (engine: Engine): RawBuilder<number> =>
  engine === 'SQLite'
    ? sql<number>`cast(unixepoch('now', 'subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

const select = prepare((db, p: { name: string }, engine) =>
  db
    .selectFrom('jobs')
    .select(['held_until as heldUntil', 'due_at as dueAt', 'succeeded_at as succeededAt'])
    .select(['duration_ms as durationMs', 'failure_count as failureCount', 'is_failing as isFailing'])
    .select(sql<number | string>`${now(engine)}`.as('now'))
    .where('name', '=', p.name),
);
const insert = prepare((db, p: { name: string }) =>
  db
    .insertInto('jobs')
    .values({ name: p.name })
    .onConflict((conflict) => conflict.doNothing()),
);
/** A time that is too far in the future was stored before the clock was set back. */
const take = prepare((db, p: { name: string; holder: string; leaseMs: number; everyMs: number }, engine) =>
  db
    .updateTable('jobs')
    .set({ holder: p.holder, held_until: sql`${now(engine)} + ${p.leaseMs}` })
    .where('name', '=', p.name)
    .where(sql<boolean>`held_until not between ${now(engine)} + 1 and ${now(engine)} + ${p.leaseMs}`)
    .where(sql<boolean>`due_at not between ${now(engine)} + 1 and ${now(engine)} + ${p.everyMs}`),
);
/** A lease that has ended isn't renewed, even if no other process has taken it. */
const renew = prepare((db, p: { name: string; holder: string; leaseMs: number }, engine) =>
  db
    .updateTable('jobs')
    .set({ held_until: sql`${now(engine)} + ${p.leaseMs}` })
    .where('name', '=', p.name)
    .where('holder', '=', p.holder)
    .where('held_until', '>', now(engine)),
);
const release = prepare((db, p: { name: string; holder: string }) =>
  db
    .updateTable('jobs')
    .set({ holder: null, held_until: 0 })
    .where('name', '=', p.name)
    .where('holder', '=', p.holder),
);
const succeed = prepare(
  (db, p: { name: string; holder: string; everyMs: number; durationMs: number }, engine) =>
    db
      .updateTable('jobs')
      .set({
        due_at: sql`${now(engine)} + ${p.everyMs}`,
        succeeded_at: now(engine),
        duration_ms: p.durationMs,
        is_failing: 0,
      })
      .where('name', '=', p.name)
      .where('holder', '=', p.holder),
);
const fail = prepare((db, p: { name: string; holder: string; everyMs: number; durationMs: number }, engine) =>
  db
    .updateTable('jobs')
    .set((eb) => ({
      due_at: sql`${now(engine)} + ${p.everyMs}`,
      duration_ms: p.durationMs,
      failure_count: eb('failure_count', '+', 1),
      is_failing: 1,
    }))
    .where('name', '=', p.name)
    .where('holder', '=', p.holder),
);

/**
 * Returns the leases of jobs, which end after `leaseMs` unless they are renewed. A job is due again `everyMs` after it has
 * ended.
 */
export function createJobLeases(
  database: Database,
  { leaseMs, everyMs: usualEveryMs }: Pick<JobLeases, 'leaseMs' | 'everyMs'>,
): JobLeases {
  /** Returns how long until a time; 0 if it is over, or is further away than it can be. */
  const until = (at: number, now: number, maxMs: number) => (at > now && at <= now + maxMs ? at - now : 0);

  async function find(name: string, everyMs = usualEveryMs): Promise<SharedJob> {
    const row = await database.first(select, { name });
    if (row === undefined) {
      await database.write((transaction) => transaction.run(insert, { name }));
      return find(name, everyMs);
    }
    const time = Number(row.now);
    const dueAt = Number(row.dueAt);
    return {
      waitMs: Math.max(until(dueAt, time, everyMs), until(Number(row.heldUntil), time, leaseMs)),
      dueAt,
      succeededAt: row.succeededAt === null ? undefined : Number(row.succeededAt),
      lastDurationMs: row.durationMs === null ? undefined : Number(row.durationMs),
      failureCount: row.failureCount,
      isFailing: row.isFailing === 1,
    };
  }

  return {
    leaseMs,
    everyMs: usualEveryMs,
    find,
    async take(name, everyMs = usualEveryMs) {
      const holder = randomUUID();
      const isTaken = await database.write((transaction) =>
        transaction.run(take, { name, holder, leaseMs, everyMs }),
      );
      if (isTaken === 0) return undefined;
      return {
        renew: async () =>
          (await database.write((transaction) => transaction.run(renew, { name, holder, leaseMs }))) > 0,
        release: (end) =>
          database.write(async (transaction) => {
            if (end !== undefined) {
              const { durationMs, hasFailed, againMs = everyMs } = end;
              const run = { name, holder, everyMs: againMs, durationMs: Math.round(durationMs) };
              await transaction.run(hasFailed ? fail : succeed, run);
            }
            await transaction.run(release, { name, holder });
          }),
      };
    },
  };
}
