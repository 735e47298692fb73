import type { User } from '#contract/accounts/sessions.ts';
import { findAccount, findAccountById, toUser } from '../../organizations/users.ts';
import type { Reader } from '../../storage/database.ts';
import { UsageError } from '../../../cli/usage/usage.ts';

/** Returns the account with an email address. Throws `UsageError` if there is none. */
export async function getAccount(reader: Reader, email: string): Promise<User> {
  const account = await findAccount(reader, email);
  if (account === undefined) throw new UsageError(`There is no account with the email address ${email}.`);
  return toUser(account);
}

/** Returns the account with an email address or an id. Throws `UsageError` if there is none. */
export async function getAccountByEmailOrId(reader: Reader, text: string): Promise<User> {
  const account = (await findAccountById(reader, text)) ?? (await findAccount(reader, text));
  if (account === undefined)
    throw new UsageError(`There is no account with the email address or id ${text}.`);
  return toUser(account);
}
