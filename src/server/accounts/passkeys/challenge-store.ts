import type { Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

export interface ChallengeRow {
  readonly tokenHash: string;
  readonly challenge: string;
  readonly purpose: string;
  readonly userId: string | null;
  readonly userHandle: string | null;
  readonly expiresAt: string;
}

const insert = prepare((sql, p: ChallengeRow) =>
  sql.insertInto('passkey_challenges').values({
    token_hash: p.tokenHash,
    challenge: p.challenge,
    purpose: p.purpose,
    user_id: p.userId,
    user_handle: p.userHandle,
    expires_at: p.expiresAt,
  }),
);

export const insertChallenge = (transaction: Transaction, row: ChallengeRow): Promise<number> =>
  transaction.run(insert, row);

const take = prepare((sql, p: { tokenHash: string }) =>
  sql
    .deleteFrom('passkey_challenges')
    .where('token_hash', '=', p.tokenHash)
    .returning([
      'token_hash as tokenHash',
      'challenge',
      'purpose',
      'user_id as userId',
      'user_handle as userHandle',
      'expires_at as expiresAt',
    ]),
);

/** Deletes a challenge and returns it, so that only one of two simultaneous uses gets it. */
export const deleteChallenge = (
  transaction: Transaction,
  tokenHash: string,
): Promise<ChallengeRow | undefined> => transaction.first(take, { tokenHash });

const removeExpired = prepare((sql, p: { now: string }) =>
  sql.deleteFrom('passkey_challenges').where('expires_at', '<=', p.now),
);

export const deleteExpiredChallenges = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });
