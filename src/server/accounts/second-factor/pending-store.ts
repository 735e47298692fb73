import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const insert = prepare((sql, p: { tokenHash: string; userId: string; expiresAt: string }) =>
  sql
    .insertInto('pending_sign_ins')
    .values({ token_hash: p.tokenHash, user_id: p.userId, attempts: 0, expires_at: p.expiresAt }),
);

export const insertPendingSignIn = (
  transaction: Transaction,
  pending: { tokenHash: string; userId: string; expiresAt: string },
): Promise<number> => transaction.run(insert, pending);

const byToken = prepare((sql, p: { tokenHash: string; now: string; limit: number }) =>
  sql
    .selectFrom('pending_sign_ins')
    .select('user_id as userId')
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now)
    .where('attempts', '<', p.limit),
);

/** Returns the account of a sign-in that waits and allows another attempt, or undefined. */
export const findPendingSignIn = async (
  reader: Reader,
  pending: { tokenHash: string; now: string; limit: number },
): Promise<string | undefined> => (await reader.first(byToken, pending))?.userId;

const attempt = prepare((sql, p: { tokenHash: string; now: string; limit: number }) =>
  sql
    .updateTable('pending_sign_ins')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now)
    .where('attempts', '<', p.limit)
    .returning('attempts'),
);

/** Counts an attempt. Returns the number of attempts, or undefined if the sign-in has ended or allows no more. */
export const countAttempt = async (
  transaction: Transaction,
  pending: { tokenHash: string; now: string; limit: number },
): Promise<number | undefined> => (await transaction.first(attempt, pending))?.attempts;

const remove = prepare((sql, p: { tokenHash: string }) =>
  sql.deleteFrom('pending_sign_ins').where('token_hash', '=', p.tokenHash),
);

/** Returns whether it existed, so that only one of two simultaneous uses succeeds. */
export const deletePendingSignIn = async (transaction: Transaction, tokenHash: string): Promise<boolean> =>
  (await transaction.run(remove, { tokenHash })) === 1;

const removeOfUser = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('pending_sign_ins').where('user_id', '=', p.userId),
);

const removeChallengesOfUser = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('passkey_challenges').where('user_id', '=', p.userId),
);

/** Ends the sign-ins of an account that wait for a second factor, and its challenges for passkeys. */
export async function deletePendingSignIns(transaction: Transaction, userId: string): Promise<void> {
  await transaction.run(removeOfUser, { userId });
  await transaction.run(removeChallengesOfUser, { userId });
}

const removeExpired = prepare((sql, p: { now: string }) =>
  sql.deleteFrom('pending_sign_ins').where('expires_at', '<=', p.now),
);

export const deleteExpiredPendingSignIns = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });
