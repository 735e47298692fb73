import type { User } from '#contract/accounts/sessions.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  /** The organization whose directory manages the account; null if no directory does. */
  organizationId: string | null;
  /** 1 or 0: whether the directory confirms the address; always 1 for an account without a directory. */
  isEmailVerified: number;
  /** 1 or 0: whether the person gets emails about comments. */
  commentMails: number;
  /** When the operator disabled the account; null if it can sign in. */
  disabledAt: string | null;
  /** 1 or 0: whether it is a program of the organization instead of a person. */
  isServiceAccount: number;
}

const columns = [
  'id',
  'email',
  'name',
  'password_hash as passwordHash',
  'organization_id as organizationId',
  'is_email_verified as isEmailVerified',
  'comment_mails as commentMails',
  'disabled_at as disabledAt',
  'is_service_account as isServiceAccount',
] as const;

const byEmail = prepare((sql, p: { email: string }) =>
  sql
    .selectFrom('users')
    .select(columns)
    .where('email', '=', p.email)
    .where('organization_id', 'is', null)
    .where('deleted_at', 'is', null),
);

/** `email` is in its normalized form. Accounts that a directory manages are not found by their address. */
export const findUserByEmail = (reader: Reader, email: string): Promise<UserRow | undefined> =>
  reader.first(byEmail, { email });

const byId = prepare((sql, p: { id: string }) =>
  sql.selectFrom('users').select(columns).where('id', '=', p.id).where('deleted_at', 'is', null),
);

/** Returns a user, or undefined if there is none or the account was deleted. */
export const findUserById = (reader: Reader, id: string): Promise<UserRow | undefined> =>
  reader.first(byId, { id });

const lock = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('users')
    .select(columns)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
);

/** Returns a user whose account was not deleted, locked against changes by other transactions until this one ends. */
export const lockUser = (transaction: Transaction, id: string): Promise<UserRow | undefined> =>
  transaction.first(lock, { id });

const ofDirectory = prepare((sql, p: { email: string }) =>
  sql
    .selectFrom('users')
    .select('id')
    .where('email', '=', p.email)
    .where('organization_id', 'is not', null)
    .limit(1),
);

/** Returns whether an account that a directory manages has a normalized email. */
export const hasUserOfDirectory = async (reader: Reader, email: string): Promise<boolean> =>
  (await reader.first(ofDirectory, { email })) !== undefined;

const anyByEmail = prepare((sql, p: { email: string }) =>
  sql
    .selectFrom('users')
    .select('id')
    .where('email', '=', p.email)
    .where('organization_id', 'is', null)
    .where('deleted_at', 'is', null)
    // Each part has its own index.
    .unionAll(
      sql
        .selectFrom('users')
        .select('id')
        .where('email', '=', p.email)
        .where('organization_id', 'is not', null),
    ),
);

/** Returns the ids of all accounts with a normalized email, of whichever organization. */
export const selectUserIdsByEmail = async (reader: Reader, email: string): Promise<string[]> =>
  (await reader.all(anyByEmail, { email })).map(({ id }) => id);

const any = prepare((sql) => sql.selectFrom('users').select('id').limit(1));

export const hasUsers = async (reader: Reader): Promise<boolean> =>
  (await reader.first(any, {})) !== undefined;

type NewUser = Omit<UserRow, 'disabledAt' | 'commentMails' | 'isServiceAccount'> &
  Partial<Pick<UserRow, 'isServiceAccount'>> & { createdBy?: string };

const insert = prepare((sql, p: NewUser & { at: string }) =>
  sql
    .insertInto('users')
    .values({
      id: p.id,
      email: p.email,
      name: p.name,
      password_hash: p.passwordHash,
      organization_id: p.organizationId,
      is_email_verified: p.isEmailVerified,
      ...(p.isServiceAccount !== undefined && { is_service_account: p.isServiceAccount }),
      ...(p.createdBy !== undefined && { created_by: p.createdBy }),
      created_at: p.at,
      updated_at: p.at,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Returns whether the user was inserted: false if the email is taken. */
export const insertUser = async (transaction: Transaction, user: NewUser, at: string): Promise<boolean> =>
  (await transaction.run(insert, { ...user, at })) === 1;

interface UserUpdate {
  id: string;
  email: string;
  name: string;
  isEmailVerified: number;
  at: string;
}

const update = prepare((sql, p: UserUpdate) =>
  sql
    .updateTable('users')
    .set({ email: p.email, name: p.name, is_email_verified: p.isEmailVerified, updated_at: p.at })
    .where('id', '=', p.id),
);

export const updateUser = (transaction: Transaction, input: UserUpdate): Promise<number> =>
  transaction.run(update, input);

const updatePassword = prepare((sql, p: { id: string; before: string; after: string; at: string }) =>
  sql
    .updateTable('users')
    .set({ password_hash: p.after, updated_at: p.at })
    .where('id', '=', p.id)
    .where('password_hash', '=', p.before),
);

/** Returns whether the hash was replaced: false if it is no longer `before`. */
export const updatePasswordHash = async (
  transaction: Transaction,
  input: { id: string; before: string; after: string; at: string },
): Promise<boolean> => (await transaction.run(updatePassword, input)) === 1;

const setPassword = prepare((sql, p: { id: string; passwordHash: string; at: string }) =>
  sql.updateTable('users').set({ password_hash: p.passwordHash, updated_at: p.at }).where('id', '=', p.id),
);

export const setPasswordHash = (
  transaction: Transaction,
  input: { id: string; passwordHash: string; at: string },
): Promise<number> => transaction.run(setPassword, input);

const setDisabled = prepare((sql, p: { id: string; disabledAt: string | null }) =>
  sql.updateTable('users').set({ disabled_at: p.disabledAt }).where('id', '=', p.id),
);

export const updateDisabledAt = (
  transaction: Transaction,
  id: string,
  disabledAt: string | null,
): Promise<number> => transaction.run(setDisabled, { id, disabledAt });

const all = prepare((sql) =>
  sql
    .selectFrom('users')
    .select([...columns, 'is_operator as isOperator', 'created_at as createdAt'])
    .where('deleted_at', 'is', null)
    .orderBy('email')
    .orderBy('id'),
);

/** Every account, with the columns that only the operator sees. */
export const selectUsers = (
  reader: Reader,
): Promise<(UserRow & { isOperator: number; createdAt: string })[]> => reader.all(all, {});

const operator = prepare((sql, p: { id: string }) =>
  sql.selectFrom('users').select('id').where('id', '=', p.id).where('is_operator', '=', 1),
);

export const isOperatorUser = async (reader: Reader, id: string): Promise<boolean> =>
  (await reader.first(operator, { id })) !== undefined;

const setOperator = prepare((sql, p: { id: string; isOperator: number }) =>
  sql.updateTable('users').set({ is_operator: p.isOperator }).where('id', '=', p.id),
);

export const updateOperator = (transaction: Transaction, id: string, isOperator: boolean): Promise<number> =>
  transaction.run(setOperator, { id, isOperator: isOperator ? 1 : 0 });

const operators = prepare((sql) =>
  sql.selectFrom('users').select(['id', 'email', 'name']).where('is_operator', '=', 1).orderBy('email'),
);

const activeOperators = prepare((sql) =>
  sql.selectFrom('users').select('id').where('is_operator', '=', 1).where('disabled_at', 'is', null),
);

export const selectActiveOperators = (reader: Reader): Promise<{ id: string }[]> =>
  reader.all(activeOperators, {});

export const selectOperators = (reader: Reader): Promise<User[]> => reader.all(operators, {});

const updateCommentMails = prepare((sql, p: { id: string; commentMails: number }) =>
  sql.updateTable('users').set({ comment_mails: p.commentMails }).where('id', '=', p.id),
);

/** Stores whether a user gets emails about comments. */
export const updateCommentMailsOf = (
  transaction: Transaction,
  id: string,
  getsMails: boolean,
): Promise<number> => transaction.run(updateCommentMails, { id, commentMails: getsMails ? 1 : 0 });
