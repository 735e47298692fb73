import type { User } from '#contract/accounts/sessions.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { normalizeEmail } from '../base/texts/email-address.ts';
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
  updateDisabledAt,
  updatePasswordHash,
  selectUserIdsByEmail,
  selectUsers,
  updateCommentMailsOf,
  updateUser,
  type UserRow,
} from './user-store.ts';

/** Everything that is stored about an account, with the hash of its password. */
export type AccountRow = UserRow;

/** Returns the normalized email of a body's member `email`. Throws `invalid_body` if it is not an address. */
export function requireEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email !== undefined) return email;
  throw invalidBody({ pointer: '/email', code: 'email', message: 'must be an email address' });
}

/** Whether an account exists. Until then, the server has to be set up. */
export const someoneHasAccount = (reader: Reader): Promise<boolean> => hasUsers(reader);

/** Returns the account of an email in any notation, with the hash of its password, or undefined. */
export async function findAccount(reader: Reader, emailText: string): Promise<UserRow | undefined> {
  const email = normalizeEmail(emailText);
  return email === undefined ? undefined : await findUserByEmail(reader, email);
}

/** Returns the account with an id, with the hash of its password, or undefined. */
export const findAccountById = (reader: Reader, id: string): Promise<UserRow | undefined> =>
  findUserById(reader, id);

/** Returns every account, sorted by email address, for the operator. */
export const listAccounts = (reader: Reader): ReturnType<typeof selectUsers> => selectUsers(reader);

/** Returns a user that exists, such as the one of a session. */
export const getUser = async (reader: Reader, id: string): Promise<User> =>
  toUser(await getAccountRow(reader, id));

/**
 * Creates an account. It has no password if `passwordHash` is null. With `organizationId`, the directory of that
 * organization manages it and can give it any address; `isEmailVerified` is whether the directory confirms the address.
 * Throws `account_exists` if the email is taken.
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

/** The domain of the addresses of service accounts, which no mail can reach (RFC 2606, section 2). */
const serviceAccountDomain = 'service-accounts.invalid';

/** Creates the account of a program, which belongs to an organization. It can't sign in, and is not found by an email address. */
export async function createServiceAccountUser(
  transaction: Transaction,
  clock: Clock,
  {
    organizationId,
    name,
    createdBy,
  }: { readonly organizationId: string; readonly name: string; readonly createdBy: string },
): Promise<User> {
  const id = newId();
  const user = { id, organizationId, name, email: `${id}@${serviceAccountDomain}` };
  const account = { ...user, passwordHash: null, isEmailVerified: 1, isServiceAccount: 1, createdBy };
  await insertUser(transaction, account, timestamp(clock()));
  await updateCommentMailsOf(transaction, id, false);
  return toUser(user);
}

/** Updates an account with the data of a directory, if that of the same organization manages it; other accounts don't change. */
export async function refreshUser(
  transaction: Transaction,
  clock: Clock,
  {
    organizationId,
    id,
    email,
    name,
    ...input
  }: { organizationId: string; id: string; email: string; name: string; isEmailVerified: boolean },
): Promise<User> {
  const user = await findUserById(transaction, id);
  if (user === undefined) throw new AtriumError('unauthenticated', 'The account no longer exists.');
  const isEmailVerified = input.isEmailVerified ? 1 : 0;
  const isSame = user.email === email && user.name === name && user.isEmailVerified === isEmailVerified;
  if (user.organizationId !== organizationId || isSame) return toUser(user);
  await updateUser(transaction, { id, email, name, isEmailVerified, at: timestamp(clock()) });
  return { id, email, name };
}

/** Returns the stored account of a session. */
export async function getAccountRow(reader: Reader, id: string): Promise<UserRow> {
  const user = await findUserById(reader, id);
  if (user === undefined)
    throw new AtriumError('unauthenticated', 'The account of this session no longer exists.');
  return user;
}

/** Renames an account that no directory manages. */
export async function renameUser(
  transaction: Transaction,
  clock: Clock,
  { id, email }: User,
  name: string,
): Promise<User> {
  await updateUser(transaction, { id, email, name, isEmailVerified: 1, at: timestamp(clock()) });
  return { id, email, name };
}

/** Replaces the hash of a password. Returns false if it is no longer `before`. */
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

/** Stores whether an account gets emails about comments. */
export async function setCommentMails(
  transaction: Transaction,
  id: string,
  getsMails: boolean,
): Promise<void> {
  await updateCommentMailsOf(transaction, id, getsMails);
}

/** Like `getAccountRow`, but locks the account: other transactions that do the same wait until this one ends. */
export async function lockAccount(transaction: Transaction, id: string): Promise<UserRow> {
  const user = await lockUser(transaction, id);
  if (user === undefined)
    throw new AtriumError('unauthenticated', 'The account of this session no longer exists.');
  return user;
}

/** Stores when an account was disabled, or with null that it isn't. */
export async function setDisabledAt(
  transaction: Transaction,
  id: string,
  disabledAt: string | null,
): Promise<void> {
  await updateDisabledAt(transaction, id, disabledAt);
}

/** Whether an account that a directory manages has this normalized email. */
export const isEmailOfDirectory = (reader: Reader, email: string): Promise<boolean> =>
  hasUserOfDirectory(reader, email);

/** Returns the ids of all accounts with a normalized email: one with a password at most, and those of directories. */
export const listUserIdsByEmail = (reader: Reader, email: string): Promise<string[]> =>
  selectUserIdsByEmail(reader, email);

/** Returns the part of an account that others may see. */
export const toUser = ({ id, email, name }: User): User => ({ id, email, name });
