import type { User } from '#contract/accounts/sessions.ts';
import { requireFullScope, type Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { operatorCommand } from '../base/program.js';
import type { Reader, Transaction } from '../storage/database.ts';
import { hasSecondFactor } from './second-factors/requirement.ts';
import { isOperatorUser, selectActiveOperators, selectOperators, updateOperator } from './user-store.ts';

/**
 * Throws `forbidden` unless the actor operates the server, and `second_factor_missing` unless the account has a second factor. A session
 * from one organization's directory never does, even on an operator's account: otherwise that directory could operate the server. Every
 * session of an account with a second factor has proven it, or has set it up.
 */
export async function requireOperator(reader: Reader, actor: Actor): Promise<void> {
  requireFullScope(actor, 'Sign in with your password to operate the server.');
  if (!(await isOperatorUser(reader, actor.userId))) {
    throw new AtriumError(
      'forbidden',
      'Only operators of the server can do this. To become one, run this on the server: ' +
        `${operatorCommand} operator grant --email ADDRESS`,
    );
  }
  if (await hasSecondFactor(reader, actor.userId)) return;
  throw new AtriumError(
    'second_factor_missing',
    'Operators of the server need a second factor. Set up a passkey or an authenticator app in your account, then try again.',
  );
}

/** Whether the actor is an operator of the server in this session. A second factor isn't needed for this. */
export const isOperator = async (reader: Reader, actor: Actor): Promise<boolean> =>
  actor.scope === 'all' && (await isOperatorUser(reader, actor.userId));

/** Makes an account an operator of the server, or ends that. */
export async function setOperator(transaction: Transaction, id: string, isOperator: boolean): Promise<void> {
  await updateOperator(transaction, id, isOperator);
}

/** Whether a user is an operator, and no other account that isn't disabled is one. */
export async function isOnlyOperator(reader: Reader, id: string): Promise<boolean> {
  const active = await selectActiveOperators(reader);
  return active.length === 1 && active[0]?.id === id;
}

/** Returns the operators, sorted by email address. */
export const listOperators = (reader: Reader): Promise<User[]> => selectOperators(reader);
