import type { Account, User } from '#contract/accounts/sessions.ts';
import { recordAudit } from '../audit/audit.ts';
import { requireFullScope, type Actor, type SessionActor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { requireValidPassword } from '../base/credentials/new-password.ts';
import type { OrganizationCreation } from '../settings/table.ts';
import { listOrganizationIds } from '../organizations/authorization.ts';
import { mayCreateOrganizations } from '../organizations/organizations.ts';
import {
  getAccountRow,
  renameUser,
  replacePassword,
  setCommentMails,
  toUser,
  type AccountRow,
} from '../organizations/users.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import type { Later } from './failed-sign-ins.ts';
import { withPassword, wrongPassword, type PasswordCheckDependencies } from './password-check.ts';
import { listMethods } from './second-factor/proofs.ts';
import { deletePendingSignIns } from './second-factor/pending-store.ts';
import { deletePasswordResets } from './password-reset/store.ts';
import { hashPassword } from './passwords.ts';
import { endOtherSessions } from '../sessions/sessions.ts';
import type { LimitedClient } from './sign-in-limits.ts';

/** Returns the actor's account. */
export async function getAccount(
  reader: Reader,
  actor: Actor,
  { organizationCreation, publicUrl }: { organizationCreation: OrganizationCreation; publicUrl: string },
): Promise<Account> {
  const row = await getAccountRow(reader, actor.userId);
  return {
    user: toUser(row),
    hasPassword: row.passwordHash !== null,
    secondFactors: await listMethods(reader, row.id, publicUrl),
    isManagedByDirectory: isManagedByDirectory(row),
    mayCreateOrganizations: await mayCreateOrganizations(reader, actor, organizationCreation),
    ...(row.isEmailVerified === 0 && { emailVerified: false }),
    commentMails: row.commentMails === 1,
  };
}

/** Changes the actor's name, and whether they get emails. Throws `forbidden` for the name if a directory manages the account. */
export function updateAccount(
  database: Database,
  clock: Clock,
  actor: Actor,
  { name, commentMails }: { readonly name?: string; readonly commentMails?: boolean },
): Promise<User> {
  return database.write(async (transaction) => {
    if (commentMails !== undefined) await setCommentMails(transaction, actor.userId, commentMails);
    if (name === undefined) return toUser(await getAccountRow(transaction, actor.userId));
    const row = await requireOwnAccount(transaction, actor);
    return renameUser(transaction, clock, toUser(row), name);
  });
}

/**
 * Changes the password of the actor's account, and ends the person's other sessions and links. Throws `invalid_body`
 * for a password that must not be chosen, `forbidden` if the account has none, `invalid_credentials` and, like signing
 * in, `too_many_attempts`, so that nobody can guess the password in a session left open. Wrong ones are recorded
 * `later`.
 */
export async function changePassword(
  dependencies: PasswordCheckDependencies,
  actor: SessionActor,
  {
    currentPassword,
    newPassword,
    client,
  }: { currentPassword: string; newPassword: string; client: LimitedClient },
  later: Later,
): Promise<{ endedSessions: number; email: string }> {
  const { database, clock } = dependencies;
  const account = await requireOwnAccount(database, actor);
  const { id, email, passwordHash: before } = account;
  if (before === null) {
    throw new AtriumError('forbidden', 'This account has no password. You sign in through a directory.');
  }
  await requireValidPassword(newPassword, { email, pointer: '/newPassword' });
  const refusal = 'The current password, required to change it, is incorrect.';
  return withPassword(
    dependencies,
    account,
    { password: currentPassword, refusal, client },
    later,
    async () => {
      const after = await hashPassword(newPassword);
      return database.write(async (transaction) => {
        // Only one of two simultaneous changes that know the current password succeeds.
        if (!(await replacePassword(transaction, clock, { id, before, after }))) throw wrongPassword();
        await deletePasswordResets(transaction, id);
        await deletePendingSignIns(transaction, id);
        const endedSessions = await endOtherSessions(transaction, clock, actor);
        for (const organizationId of await listOrganizationIds(transaction, actor)) {
          await recordAudit(transaction, clock, {
            organizationId,
            action: 'account.password_changed',
            actor,
            // Without the client's address: the change opens no organization.
            details: { email, endedSessions },
          });
        }
        return { endedSessions, email };
      });
    },
  );
}

/**
 * Returns the actor's account. Throws `forbidden` for one that a directory manages, and for a session from one organization's
 * directory, which must not change an account that gives access to other organizations.
 */
export async function requireOwnAccount(reader: Reader | Transaction, actor: Actor): Promise<AccountRow> {
  const row = await getAccountRow(reader, actor.userId);
  if (isManagedByDirectory(row)) {
    throw new AtriumError(
      'forbidden',
      'The directory of your organization manages this account. Change it there.',
    );
  }
  requireFullScope(actor, 'Sign in with your password to change your account.');
  return row;
}

const isManagedByDirectory = ({ organizationId }: AccountRow): boolean => organizationId !== null;
