import type { User } from '#contract/accounts/sessions.ts';
import { requireFullScope, type Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { operatorCommand } from '../base/program.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { isOperatorUser, selectOperators, updateOperator } from './user-store.ts';

/**
 * Throws `forbidden` unless the actor operates the server. A session from one organization's directory never does, even
 * on an operator's account: otherwise that directory could operate the server.
 */
export async function requireOperator(reader: Reader, actor: Actor): Promise<void> {
  requireFullScope(actor, 'Sign in with your password to operate the server.');
  if (await isOperatorUser(reader, actor.userId)) return;
  throw new AtriumError(
    'forbidden',
    'Only operators of the server can do this. To become one, run this on the server: ' +
      `${operatorCommand} operator grant --email ADDRESS`,
  );
}

/** Whether the actor is an operator of the server in this session. */
export const isOperator = async (reader: Reader, actor: Actor): Promise<boolean> =>
  actor.scope === 'all' && (await isOperatorUser(reader, actor.userId));

/** Makes an account an operator of the server, or ends that. */
export async function setOperator(transaction: Transaction, id: string, isOperator: boolean): Promise<void> {
  await updateOperator(transaction, id, isOperator);
}

/** Returns the operators, sorted by email address. */
export const listOperators = (reader: Reader): Promise<User[]> => selectOperators(reader);
