import type { User } from '#contract/accounts/sessions.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { normalizeEmail } from '../base/email-address.ts';
import { AtriumError, invalidBody } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import {
  findUserByEmail,
  findUserById,
  hasUserOfDirectory,
  hasUsers,
  insertUser,
  lockUser,
  setPasswordHash,
  updatePasswordHash,
  updateUser,
  type UserRow,
} from './user-store.ts';

/** Everything that is stored about an account, with the hash of its password. */
export type AccountRow = UserRow;

/** Returns the normalized email of a body's member `email`. Throws `invalid_body` for what is no address. */
export function requireEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email !== undefined) return email;
  throw invalidBody({ pointer: '/email', code: 'email', message: 'must be an email address' });
}

/** Whether anybody has an account: until then the server waits for its set-up. */
export const someoneHasAccount = (reader: Reader): Promise<boolean> => hasUsers(reader);

/** Returns the account of an email in any spelling, with the hash of its password, or undefined. */
export async function findAccount(reader: Reader, emailText: string): Promise<UserRow | undefined> {
  const email = normalizeEmail(emailText);
  return email === undefined ? undefined : await findUserByEmail(reader, email);
}

/** Returns a user that exists, such as the one of a session. */
export const getUser = async (reader: Reader, id: string): Promise<User> =>
  toUser(await getAccountRow(reader, id));

/**
 * Creates an account. `passwordHash` null: it signs in another way. `organizationId`: it comes from the directory of
 * that organization, which may give it any address; `isEmailVerified`: whether it vouches for that. Throws `account_exists` when the email is
 * taken.
 */
export async function createUser(
  transaction: Transaction,
  clock: Clock,
  input: {
    email: string;
    name: string;
    passwordHash: string | null;
    organizationId?: string;
    isEmailVerified?: boolean;
  },
): Promise<User> {
  const user = {
    ...input,
    id: newId(),
    organizationId: input.organizationId ?? null,
    isEmailVerified: (input.isEmailVerified ?? true) ? 1 : 0,
  };
  const inserted = await insertUser(transaction, user, timestamp(clock()));
  if (!inserted)
    throw new AtriumError('account_exists', 'An account with this email address already exists.');
  return toUser(user);
}

/** Writes down what a directory says of an account that comes from it; any other account is left as it is. */
export async function refreshUser(
  transaction: Transaction,
  clock: Clock,
  { id, email, name, ...input }: { id: string; email: string; name: string; isEmailVerified: boolean },
): Promise<User> {
  const user = await findUserById(transaction, id);
  if (user === undefined) throw new AtriumError('unauthenticated', 'The account is gone.');
  const isEmailVerified = input.isEmailVerified ? 1 : 0;
  const isSame = user.email === email && user.name === name && user.isEmailVerified === isEmailVerified;
  if (user.organizationId === null || isSame) return toUser(user);
  await updateUser(transaction, { id, email, name, isEmailVerified, at: timestamp(clock()) });
  return { id, email, name };
}

/** Returns all that is kept of the account of a session. */
export async function getAccountRow(reader: Reader, id: string): Promise<UserRow> {
  const user = await findUserById(reader, id);
  if (user === undefined) throw new AtriumError('unauthenticated', 'The account of this session is gone.');
  return user;
}

/** Names an account that no directory keeps. */
export async function renameUser(
  transaction: Transaction,
  clock: Clock,
  { id, email }: User,
  name: string,
): Promise<User> {
  await updateUser(transaction, { id, email, name, isEmailVerified: 1, at: timestamp(clock()) });
  return { id, email, name };
}

/** Replaces the hash of a password. Returns false when it is not `before` any more. */
export const replacePassword = (
  transaction: Transaction,
  clock: Clock,
  input: { id: string; before: string; after: string },
): Promise<boolean> => updatePasswordHash(transaction, { ...input, at: timestamp(clock()) });

/** Stores the hash of a password, replacing any earlier one. */
export async function storePassword(
  transaction: Transaction,
  clock: Clock,
  input: { id: string; passwordHash: string },
): Promise<void> {
  await setPasswordHash(transaction, { ...input, at: timestamp(clock()) });
}

/** Like `getAccountRow`, but locks the account: other transactions that do the same wait until this one ends. */
export async function lockAccount(transaction: Transaction, id: string): Promise<UserRow> {
  const user = await lockUser(transaction, id);
  if (user === undefined) throw new AtriumError('unauthenticated', 'The account of this session is gone.');
  return user;
}

/** Whether an account that comes from a directory has an email in its normalized form. */
export const isEmailOfDirectory = (reader: Reader, email: string): Promise<boolean> =>
  hasUserOfDirectory(reader, email);

/** Returns what others may know of an account. */
export const toUser = ({ id, email, name }: UserRow): User => ({ id, email, name });
