import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { deleteExpiredAttempts } from './attempt-store.ts';
import { deleteOldSsoTests } from '../test/store.ts';

/** Forgets sign-ins that never came back, and tests of more than a day ago. */
export async function sweepSignIns(database: Database, clock: Clock): Promise<void> {
  const now = clock();
  await database.writeSlowly(async (transaction) => {
    await deleteExpiredAttempts(transaction, timestamp(now));
    await deleteOldSsoTests(transaction, timestamp(now - daysMs(1)));
  });
}
