import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { deleteOldAccess } from '../log-chain/seal.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const retention = prepare((db, p: { organizationId: string }) =>
  db.selectFrom('organizations').select('access_log_days as days').where('id', '=', p.organizationId),
);

/** Returns for how many days an organization that exists keeps its data-access log. */
export async function findRetentionDays(reader: Reader, organizationId: string): Promise<number> {
  const found = await reader.first(retention, { organizationId });
  if (found === undefined) throw new Error('There is no such organization.');
  return found.days;
}

const setRetention = prepare((db, p: { organizationId: string; days: number }) =>
  db.updateTable('organizations').set({ access_log_days: p.days }).where('id', '=', p.organizationId),
);

export const updateRetentionDays = (
  transaction: Transaction,
  organizationId: string,
  days: number,
): Promise<number> => transaction.run(setRetention, { organizationId, days });

const retentions = prepare((db) =>
  db.selectFrom('organizations').select(['id', 'access_log_days as days']).orderBy('id'),
);

/** Deletes the entries of the data-access log that their organizations no longer keep. */
export async function sweepAccessLog(
  dependencies: { readonly database: Database; readonly clock: Clock },
  stopped: AbortSignal,
): Promise<void> {
  const { database, clock } = dependencies;
  for (const { id, days } of await database.all(retentions, {})) {
    const before = timestamp(clock() - daysMs(days));
    await deleteOldAccess(dependencies, { organizationId: id, before }, stopped);
    if (stopped.aborted) return;
  }
}
