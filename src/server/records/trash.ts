import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import type { Database, Transaction } from '../storage/database.ts';

/** How long what was deleted stays in the bin. */
const keptDays = 30;

/** So few at once that the writes of people hardly wait for it. */
const purgedAtOnce = 20;

/** Returns when what was deleted at a time goes for good. */
export const purgeTime = (deletedAt: string): string => timestamp(Date.parse(deletedAt) + daysMs(keptDays));

/** How one kind of record is purged. */
interface Purge<Binned> {
  /** Returns up to `limit` records that were deleted before a time; what another replica has locked is left to it. */
  lockOld(transaction: Transaction, range: { before: string; limit: number }): Promise<readonly Binned[]>;
  /** Removes one for good, and writes that down. */
  remove(transaction: Transaction, binned: Binned): Promise<void>;
}

/** Removes for good what has been in the bin for 30 days, a few at once; every replica may do so at the same time. */
export async function purgeOld<Binned>(
  database: Database,
  clock: Clock,
  stopped: Pick<AbortSignal, 'aborted'>,
  { lockOld, remove }: Purge<Binned>,
): Promise<void> {
  const before = timestamp(clock() - daysMs(keptDays));
  let purged: number;
  do {
    purged = await database.write(async (transaction) => {
      const old = await lockOld(transaction, { before, limit: purgedAtOnce });
      for (const binned of old) await remove(transaction, binned);
      return old.length;
    });
  } while (purged === purgedAtOnce && !stopped.aborted);
}
