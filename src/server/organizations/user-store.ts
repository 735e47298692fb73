import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
}

const columns = ['id', 'email', 'name', 'password_hash as passwordHash'] as const;

const byEmail = prepare((sql, p: { email: string }) =>
  sql.selectFrom('users').select(columns).where('email', '=', p.email),
);

const byId = prepare((sql, p: { id: string }) =>
  sql.selectFrom('users').select(columns).where('id', '=', p.id),
);

const any = prepare((sql) => sql.selectFrom('users').select('id').limit(1));

const insert = prepare((sql, p: UserRow & { at: string }) =>
  sql
    .insertInto('users')
    .values({
      id: p.id,
      email: p.email,
      name: p.name,
      password_hash: p.passwordHash,
      created_at: p.at,
      updated_at: p.at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing()),
);

/** `email` is in its normalized form. */
export const findUserByEmail = (reader: Reader, email: string): Promise<UserRow | undefined> =>
  reader.first(byEmail, { email });

export const findUserById = (reader: Reader, id: string): Promise<UserRow | undefined> =>
  reader.first(byId, { id });

export const hasUsers = async (reader: Reader): Promise<boolean> =>
  (await reader.first(any, {})) !== undefined;

/** Returns whether the user was inserted: false when the e-mail is taken. */
export const insertUser = async (transaction: Transaction, user: UserRow, at: string): Promise<boolean> =>
  (await transaction.run(insert, { ...user, at })) === 1;
