import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { deleteUnusedClients } from './clients/store.ts';
import { deleteExpiredRequests } from './authorization/store.ts';
import type { Assertion } from './clients/assertions.ts';

const insert = prepare((sql, p: Assertion['use']) =>
  sql
    .insertInto('used_assertions')
    .values({ id: p.id, expires_at: p.expiresAt })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Remembers an assertion. Returns whether it was new. */
export const useAssertion = async (transaction: Transaction, use: Assertion['use']): Promise<boolean> =>
  (await transaction.run(insert, use)) === 1;

const removeExpired = prepare((sql, p: { before: string }) =>
  sql.deleteFrom('used_assertions').where('expires_at', '<', p.before),
);

/** How long a registered client is stored that nobody has authorized. */
const unusedClientMs = daysMs(30);

/** Deletes assertions, requests and codes that have expired, which are refused anyway, and clients that nobody uses. */
export async function sweepOAuth(database: Database, clock: Clock): Promise<void> {
  const before = timestamp(clock());
  await database.writeSlowly(async (transaction) => {
    await transaction.run(removeExpired, { before });
    await deleteExpiredRequests(transaction, before);
    await deleteUnusedClients(transaction, timestamp(clock() - unusedClientMs));
  });
}
