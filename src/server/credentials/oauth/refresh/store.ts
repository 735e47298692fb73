import type { Reader, Transaction } from '../../../storage/database.ts';
import { prepare } from '../../../storage/prepared-query.ts';

interface RefreshRow {
  readonly tokenHash: string;
  readonly grantId: string;
}

const insert = prepare((sql, p: RefreshRow) =>
  sql.insertInto('refresh_tokens').values({ token_hash: p.tokenHash, grant_id: p.grantId, seed: '' }),
);

export const insertRefreshToken = (transaction: Transaction, row: RefreshRow): Promise<number> =>
  transaction.run(insert, row);

const find = prepare((sql, p: { tokenHash: string }) =>
  sql
    .selectFrom('refresh_tokens')
    .select(['token_hash as tokenHash', 'grant_id as grantId'])
    .where('token_hash', '=', p.tokenHash),
);

export const findRefreshToken = (reader: Reader, tokenHash: string): Promise<RefreshRow | undefined> =>
  reader.first(find, { tokenHash });

const use = prepare((sql, p: { tokenHash: string; at: string }) =>
  sql
    .updateTable('refresh_tokens')
    .set({ used_at: p.at })
    .where('token_hash', '=', p.tokenHash)
    .where('used_at', 'is', null),
);

/** Marks a refresh token as used. Returns 0 if it already was. */
export const markUsed = (transaction: Transaction, tokenHash: string, at: string): Promise<number> =>
  transaction.run(use, { tokenHash, at });
