import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { deleteExpiredAttempts } from './attempt-store.ts';
import { deleteOldSsoTests } from '../test/store.ts';

/** Deletes sign-ins that were never completed, and tests older than a day. */
export async function sweepSignIns(database: Database, clock: Clock): Promise<void> {
  const now = clock();
  await database.writeSlowly(async (transaction) => {
    await deleteExpiredAttempts(transaction, timestamp(now));
    await deleteOldSsoTests(transaction, timestamp(now - daysMs(1)));
  });
}
