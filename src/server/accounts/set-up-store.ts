import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const insert = prepare((sql, p: { tokenHash: string; expiresAt: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.tokenHash, expires_at: p.expiresAt }),
);

export const insertSetUpLink = (
  transaction: Transaction,
  tokenHash: string,
  expiresAt: string,
): Promise<number> => transaction.run(insert, { tokenHash, expiresAt });

const byToken = prepare((sql, p: { tokenHash: string; now: string }) =>
  sql
    .selectFrom('set_up_links')
    .select('token_hash')
    .where('token_hash', '=', p.tokenHash)
    .where('expires_at', '>', p.now),
);

export const isSetUpLink = async (reader: Reader, tokenHash: string, now: string): Promise<boolean> =>
  (await reader.first(byToken, { tokenHash, now })) !== undefined;

const removeAll = prepare((sql) => sql.deleteFrom('set_up_links'));

export const deleteSetUpLinks = (transaction: Transaction): Promise<number> => transaction.run(removeAll, {});

/** A row that every database has. Locking it makes sure that only one process sets up the server. */
const lock = prepare((sql) => sql.selectFrom('schema_version').select('id').forUpdate());

export const lockSetUp = (transaction: Transaction): Promise<unknown> => transaction.first(lock, {});
