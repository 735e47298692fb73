import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface PasswordReset {
  tokenHash: string;
  userId: string;
  createdAt: string;
  expiresAt: string;
}

const insert = prepare((sql, p: PasswordReset) =>
  sql.insertInto('password_resets').values({
    token_hash: p.tokenHash,
    user_id: p.userId,
    created_at: p.createdAt,
    expires_at: p.expiresAt,
  }),
);

export const insertPasswordReset = (transaction: Transaction, reset: PasswordReset): Promise<number> =>
  transaction.run(insert, reset);

const byToken = prepare((sql, p: { tokenHash: string; now: string }) =>
  sql
    .selectFrom('password_resets')
    .select('user_id as userId')
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now),
);

/** Returns the id of the user whose password a link resets, or undefined if it isn't valid or has expired. */
export const findPasswordReset = async (
  reader: Reader,
  tokenHash: string,
  now: string,
): Promise<string | undefined> => (await reader.first(byToken, { tokenHash, now }))?.userId;

const removeOfUser = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('password_resets').where('user_id', '=', p.userId),
);

/** Ends every link that resets the password of a user. */
export const deletePasswordResets = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(removeOfUser, { userId });

const removeExpired = prepare((sql, p: { now: string }) =>
  sql.deleteFrom('password_resets').where('expires_at', '<=', p.now),
);

export const deleteExpiredPasswordResets = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });
