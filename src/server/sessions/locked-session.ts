import type { SessionActor } from '../base/actor.ts';
import { lockAccount, type AccountRow } from '../organizations/users.ts';
import type { Transaction } from '../storage/database.ts';
import { getSession } from './sessions.ts';

/**
 * Locks and returns the actor's account, before something is created that outlives the session. Throws `unauthenticated` if the session
 * has ended since the request began: a change or reset of the password has to stop people who knew the one before.
 */
export async function lockSession(transaction: Transaction, actor: SessionActor): Promise<AccountRow> {
  const account = await lockAccount(transaction, actor.userId);
  await getSession(transaction, actor);
  return account;
}
