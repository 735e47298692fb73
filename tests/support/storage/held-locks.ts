import { sql } from 'kysely';
import type { Database, Transaction } from '../../../src/server/storage/database.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { until } from '../server/server-process.ts';

/** The functions that release what is held in each database. */
const held = new WeakMap<Database, Set<() => void>>();

/**
 * Runs `work` on PostgreSQL in a transaction that holds its locks until the returned function is called, or `untilWaiting` has
 * waited in vain: a database can't be closed while a transaction is open.
 */
export async function holdLocks(
  database: Database,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const { promise: worked, resolve: finishWork } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = database.write(async (transaction) => {
    await work(transaction);
    finishWork();
    await released;
  });
  const releases = held.get(database) ?? new Set();
  held.set(database, releases.add(release));
  await Promise.race([worked, holding]);
  return () => {
    release();
    return holding;
  };
}

/** Like `holdLocks`, for the row with an id. */
export const holdRow = (
  database: Database,
  table: keyof typeof lockRow,
  id: string,
): Promise<() => Promise<void>> =>
  holdLocks(database, (transaction) => transaction.first(lockRow[table], { id }));

const lockRow = {
  dashboards: prepare((db, p: { id: string }) =>
    db.selectFrom('dashboards').select('id').where('id', '=', p.id).forUpdate(),
  ),
  data_sources: prepare((db, p: { id: string }) =>
    db.selectFrom('data_sources').select('id').where('id', '=', p.id).forUpdate(),
  ),
  reports: prepare((db, p: { id: string }) =>
    db.selectFrom('reports').select('id').where('id', '=', p.id).forUpdate(),
  ),
};

/** Returns once `count` sessions wait for a lock in this database, or rejects if they don't within a long time. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  try {
    await until(`${count} sessions wait for a lock`, async () => {
      const { length } = await database.all(waiting, {});
      return length >= count ? length : undefined;
    });
  } catch (error) {
    for (const release of held.get(database) ?? []) release();
    throw error;
  }
}

const waiting = prepare((db) => ({
  compile: () =>
    sql<{
      pid: number;
    }>`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.compile(
      db,
    ),
}));
