import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** The hashed key of a request, and its user: the same key from another user is a different key. */
export interface RequestKey {
  readonly userId: string;
  readonly keyHash: string;
}

/** The response to a create. */
export interface StoredResponse {
  readonly fingerprint: string;
  readonly etag: string | undefined;
  readonly body: string;
}

interface Claim extends RequestKey {
  readonly fingerprint: string;
  readonly at: string;
}

const claim = prepare((sql, p: Claim) => {
  const empty = { fingerprint: p.fingerprint, etag: null, body: '', created_at: p.at };
  return sql
    .insertInto('idempotency_keys')
    .values({ ...empty, user_id: p.userId, key_hash: p.keyHash })
    .onConflict((conflict) => conflict.columns(['user_id', 'key_hash']).doNothing());
});

/**
 * Claims a key for a request; returns false if it was claimed before. Another transaction that is about to claim the
 * same key waits until this one ends.
 */
export const claimKey = async (transaction: Transaction, key: Claim): Promise<boolean> =>
  (await transaction.run(claim, key)) === 1;

const find = prepare((sql, p: RequestKey) =>
  sql
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'etag', 'body'])
    .where('user_id', '=', p.userId)
    .where('key_hash', '=', p.keyHash),
);

/** Returns the stored response to the request with a key, or undefined. */
export async function findResponse(reader: Reader, key: RequestKey): Promise<StoredResponse | undefined> {
  const row = await reader.first(find, key);
  return row && { ...row, etag: row.etag ?? undefined };
}

const store = prepare((sql, p: RequestKey & { etag: string | null; body: string }) =>
  sql
    .updateTable('idempotency_keys')
    .set({ etag: p.etag, body: p.body })
    .where('user_id', '=', p.userId)
    .where('key_hash', '=', p.keyHash),
);

/** Stores the response to the request that claimed a key. */
export const storeResponse = (
  transaction: Transaction,
  key: RequestKey,
  { etag, body }: Pick<StoredResponse, 'etag' | 'body'>,
): Promise<number> => transaction.run(store, { ...key, etag: etag ?? null, body });

const removeExpired = prepare((sql, p: { oldBefore: string }) =>
  sql
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', p.oldBefore)
    .where('old_since', '<=', p.oldBefore),
);

const markOld = prepare((sql, p: { oldBefore: string; now: string }) =>
  sql
    .updateTable('idempotency_keys')
    .set({ old_since: p.now })
    .where('created_at', '<=', p.oldBefore)
    .where('old_since', 'is', null),
);

/** Deletes the keys that were found to be old before `oldBefore`, and remembers which are old now. */
export async function deleteExpiredKeys(
  transaction: Transaction,
  times: { readonly oldBefore: string; readonly now: string },
): Promise<void> {
  await transaction.run(removeExpired, times);
  await transaction.run(markOld, times);
}
