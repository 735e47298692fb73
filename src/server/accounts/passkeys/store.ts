import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A passkey of an account. Bytes are in base64url. */
export interface PasskeyRow {
  readonly id: string;
  readonly credentialId: string;
  readonly userId: string;
  readonly userHandle: string;
  readonly host: string;
  readonly publicKey: string;
  readonly counter: number;
  /** A JSON array. */
  readonly transports: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

const columns = [
  'id',
  'credential_id as credentialId',
  'user_id as userId',
  'user_handle as userHandle',
  'host',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

/** PostgreSQL returns a `bigint` as text. */
type StoredRow = Omit<PasskeyRow, 'counter'> & { readonly counter: number | string };

const toRow = (row: StoredRow): PasskeyRow => ({ ...row, counter: Number(row.counter) });

const ofUser = prepare((sql, p: { userId: string }) =>
  sql.selectFrom('passkeys').select(columns).where('user_id', '=', p.userId).orderBy('id'),
);

/** Returns the passkeys of an account, oldest first. */
export const selectPasskeys = async (reader: Reader, userId: string): Promise<PasskeyRow[]> =>
  (await reader.all(ofUser, { userId })).map(toRow);

const byCredential = prepare((sql, p: { credentialId: string }) =>
  sql.selectFrom('passkeys').select(columns).where('credential_id', '=', p.credentialId),
);

export async function findPasskey(reader: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  const row = await reader.first(byCredential, { credentialId });
  return row && toRow(row);
}

const insert = prepare((sql, p: Omit<PasskeyRow, 'lastUsedAt'>) =>
  sql
    .insertInto('passkeys')
    .values({
      id: p.id,
      credential_id: p.credentialId,
      user_id: p.userId,
      user_handle: p.userHandle,
      host: p.host,
      public_key: p.publicKey,
      counter: p.counter,
      transports: p.transports,
      name: p.name,
      created_at: p.createdAt,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing()),
);

/** Returns false if the server knows the credential already. */
export const insertPasskey = async (
  transaction: Transaction,
  passkey: Omit<PasskeyRow, 'lastUsedAt'>,
): Promise<boolean> => (await transaction.run(insert, passkey)) === 1;

const useCounting = prepare((sql, p: { id: string; counter: number; at: string }) =>
  sql
    .updateTable('passkeys')
    .set({ counter: p.counter, last_used_at: p.at })
    .where('id', '=', p.id)
    .where('counter', '<', p.counter),
);

const useNotCounting = prepare((sql, p: { id: string; at: string }) =>
  sql.updateTable('passkeys').set({ last_used_at: p.at }).where('id', '=', p.id).where('counter', '=', 0),
);

/** Returns whether the counter of the passkey was below this one, or both are 0. Only one of two simultaneous uses succeeds. */
export const recordUse = async (
  transaction: Transaction,
  { id, counter, at }: { id: string; counter: number; at: string },
): Promise<boolean> =>
  (counter === 0
    ? await transaction.run(useNotCounting, { id, at })
    : await transaction.run(useCounting, { id, counter, at })) === 1;

const rename = prepare((sql, p: { id: string; userId: string; name: string }) =>
  sql.updateTable('passkeys').set({ name: p.name }).where('id', '=', p.id).where('user_id', '=', p.userId),
);

/** Returns whether the account has the passkey. */
export const updateName = async (
  transaction: Transaction,
  passkey: { id: string; userId: string; name: string },
): Promise<boolean> => (await transaction.run(rename, passkey)) === 1;

const remove = prepare((sql, p: { id: string; userId: string }) =>
  sql.deleteFrom('passkeys').where('id', '=', p.id).where('user_id', '=', p.userId),
);

/** Returns whether the account had the passkey. */
export const deletePasskey = async (
  transaction: Transaction,
  passkey: { id: string; userId: string },
): Promise<boolean> => (await transaction.run(remove, passkey)) === 1;

const removeAll = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('passkeys').where('user_id', '=', p.userId),
);

export const deletePasskeys = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(removeAll, { userId });
