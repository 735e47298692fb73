import type { User } from '#contract/accounts/sessions.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, StartError } from '../base/errors.ts';
import { findPasswordFault, requireValidPassword } from '../base/credentials/new-password.ts';
import { hashToken, newToken } from '../base/credentials/tokens.ts';
import { foundOrganization } from '../organizations/organizations.ts';
import { setOperator } from '../organizations/operators.ts';
import { createUser, requireEmail, someoneHasAccount } from '../organizations/users.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { hashPassword } from './passwords.ts';
import { startRecordedSession } from '../sessions/recorded-session.ts';
import type { NewSession } from '../sessions/sessions.ts';
import { deleteSetUpLinks, insertSetUpLink, isSetUpLink, lockSetUp } from './set-up-store.ts';

const linkLifetimeMs = daysMs(1);

/** Returns the token of a new set-up link, valid for a day, or undefined if an account already exists. */
export function createSetUpToken(database: Database, clock: Clock): Promise<string | undefined> {
  const token = newToken();
  return database.write(async (transaction) => {
    await lockSetUp(transaction);
    if (await someoneHasAccount(transaction)) return undefined;
    await insertSetUpLink(transaction, hashToken(token), timestamp(clock() + linkLifetimeMs));
    return token;
  });
}

export interface FirstOwner {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly organization: string;
}

/** Sets up the server with its one-time link, and signs the owner in. Throws `link_not_valid`, `invalid_body`. */
export async function setUp(
  database: Database,
  clock: Clock,
  input: FirstOwner & { token: string; address: string; userAgent: string | undefined },
): Promise<NewSession> {
  const email = requireEmail(input.email);
  const tokenHash = hashToken(input.token);
  // Checked before hashing, so that only people with a valid link make the server do that work; and again inside.
  await requireSetUpLink(database, clock, tokenHash);
  await requireValidPassword(input.password, { email, pointer: '/password' });
  const passwordHash = await hashPassword(input.password);
  return database.write(async (transaction) => {
    await lockSetUp(transaction);
    await requireSetUpLink(transaction, clock, tokenHash);
    const owner = await createFirstOwner(transaction, clock, { ...input, email, passwordHash });
    const { address, userAgent } = input;
    return startRecordedSession(transaction, clock, owner, { method: 'set_up', address, userAgent });
  });
}

/**
 * Creates the first owner, who becomes an operator of the server, and the organization, unless an account exists.
 * Returns whether it did. Throws `StartError` for a password that must not be chosen.
 */
export async function ensureFirstOwner(
  database: Database,
  clock: Clock,
  input: FirstOwner,
): Promise<boolean> {
  if (await someoneHasAccount(database)) return false;
  const email = requireEmail(input.email);
  const fault = await findPasswordFault(input.password, email);
  if (fault !== undefined) throw new StartError(`ATRIUM_OWNER_PASSWORD ${fault.message}.`);
  const passwordHash = await hashPassword(input.password);
  return database.write(async (transaction) => {
    await lockSetUp(transaction);
    if (await someoneHasAccount(transaction)) return false;
    await createFirstOwner(transaction, clock, { ...input, email, passwordHash });
    return true;
  });
}

async function requireSetUpLink(reader: Reader, clock: Clock, tokenHash: string): Promise<void> {
  const isValid = await isSetUpLink(reader, tokenHash, timestamp(clock()));
  if (!isValid || (await someoneHasAccount(reader))) {
    throw new AtriumError(
      'link_not_valid',
      'This set-up link was already used or has expired. Restart the server to get a new one, if no account exists ' +
        'yet.',
    );
  }
}

async function createFirstOwner(
  transaction: Transaction,
  clock: Clock,
  input: { email: string; name: string; passwordHash: string; organization: string },
): Promise<User> {
  const owner = await createUser(transaction, clock, input);
  await foundOrganization(transaction, clock, owner.id, input.organization);
  await setOperator(transaction, owner.id, true);
  await deleteSetUpLinks(transaction);
  return owner;
}
