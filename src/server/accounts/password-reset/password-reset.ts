import { recordAudit } from '../../audit/audit.ts';
import { hoursMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { requireValidPassword } from '../../base/credentials/new-password.ts';
import { hashToken, newToken } from '../../base/credentials/tokens.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { isPasswordUseless, listOrganizationIdsOfUser } from '../../organizations/members.ts';
import {
  findAccount,
  getAccountRow,
  isEmailOfDirectory,
  lockAccount,
  requireEmail,
  storePassword,
} from '../../organizations/users.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import type { Later } from '../failed-sign-ins.ts';
import { mailPasswordReset } from '../password-mails.ts';
import { deletePendingSignIns } from '../second-factor/pending-store.ts';
import { countEnded, type EndAccessOfPerson } from './ended-access.ts';
import {
  deleteExpiredPasswordResets,
  deletePasswordResets,
  findPasswordReset,
  insertPasswordReset,
} from './store.ts';
import { hashPassword } from '../passwords.ts';
import { endSessionsOfUser } from '../../sessions/sessions.ts';
import { limitResets, limitResetTokens, type LimitedClient, type SignInLimits } from '../sign-in-limits.ts';

const lifetimeMs = hoursMs(1);

/** Dependencies of emailing links. */
export interface PasswordResetDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly signInLimits: SignInLimits;
}

/** What a reset ended. */
interface ResetPassword {
  readonly endedSessions: number;
  readonly endedTokens: number;
  readonly endedDisplayLinks: number;
}

/**
 * Emails a link to an address if it has an account with a password. All of this is done `later`, so that neither the
 * response nor the time it takes shows whether the account exists. Throws `too_many_attempts`, also for an address
 * without an account.
 */
export async function requestPasswordReset(
  dependencies: PasswordResetDependencies,
  { email: entered, ...client }: LimitedClient & { email: string },
  later: Later,
): Promise<{ sendsMail: boolean }> {
  const email = requireEmail(entered);
  await limitResets(dependencies.signInLimits, { email, ...client });
  const { isConfigured } = dependencies.mailer;
  if (isConfigured) later(() => mailReset(dependencies, email));
  return { sendsMail: isConfigured };
}

/**
 * An account that signs in only through a directory gets no link: a password would be a second way to sign in that the
 * directory doesn't know about, and that remains after the directory removes the person.
 */
async function mailReset(
  { database, clock, mailer, publicUrl }: PasswordResetDependencies,
  email: string,
): Promise<void> {
  const account = await findAccount(database, email);
  const usesPassword = account !== undefined && account.passwordHash !== null;
  if (usesPassword && !(await isPasswordUseless(database, account.id))) {
    const token = await database.write((transaction) => createPasswordReset(transaction, clock, account.id));
    await mailer.send({
      kind: 'password_reset',
      to: email,
      text:
        `Someone asked to reset the password of your account at ${publicUrl}.\n\n` +
        `Choose a new password within one hour:\n${resetLink(publicUrl, token)}\n\n` +
        'If this wasn’t you, ignore this email. Your password stays the same.\n',
    });
  } else if (account !== undefined || (await isEmailOfDirectory(database, email))) {
    await mailer.send({
      kind: 'no_password',
      to: email,
      text:
        `Someone asked to reset the password of your account at ${publicUrl}.\n\n` +
        'You sign in through your organization’s directory, so there is no password to reset here. ' +
        `Enter your email address to sign in:\n${publicUrl}/sign-in\n\n` +
        'If you forgot your directory password, ask an administrator of your organization.\n',
    });
  }
}

/** Returns the token of a new link, which replaces any earlier one. Only the person of the account may get the link. */
export async function createPasswordReset(
  transaction: Transaction,
  clock: Clock,
  userId: string,
): Promise<string> {
  const token = newToken();
  const now = clock();
  await lockAccount(transaction, userId);
  await deletePasswordResets(transaction, userId);
  await insertPasswordReset(transaction, {
    tokenHash: hashToken(token),
    userId,
    createdAt: timestamp(now),
    expiresAt: timestamp(now + lifetimeMs),
  });
  return token;
}

/**
 * Returns the URL for choosing a new password. The token is in the fragment, so that it never reaches a server's log.
 */
export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset-password#${token}`;

/**
 * Sets a new password for the person of a link, and ends all their sessions and links. Somebody else may have known the password before,
 * so it also ends everything that the person has created to get access without a sign-in. Throws `link_not_valid`,
 * `too_many_attempts`, and `invalid_body` for a password that must not be chosen: the link then stays valid.
 */
export async function resetPassword(
  {
    database,
    clock,
    mailer,
    publicUrl,
    signInLimits,
    endAccessOfPerson,
  }: PasswordResetDependencies & { readonly endAccessOfPerson: EndAccessOfPerson },
  { token, newPassword, ...client }: LimitedClient & { token: string; newPassword: string },
  later: Later,
): Promise<ResetPassword> {
  await limitResetTokens(signInLimits, client);
  const tokenHash = hashToken(token);
  // Checked before hashing, so that only people with a valid link make the server do that work; and again inside.
  const id = await requirePasswordReset(database, clock, tokenHash);
  const { email } = await getAccountRow(database, id);
  await requireValidPassword(newPassword, { email, pointer: '/newPassword' });
  const passwordHash = await hashPassword(newPassword);
  const ended = await database.write(async (transaction) => {
    await lockAccount(transaction, id);
    await requirePasswordReset(transaction, clock, tokenHash);
    await storePassword(transaction, clock, { id, passwordHash });
    await deletePasswordResets(transaction, id);
    await deletePendingSignIns(transaction, id);
    const endedSessions = await endSessionsOfUser(transaction, clock, id);
    const access = await endAccessOfPerson(transaction, id);
    const memberships = await listOrganizationIdsOfUser(transaction, id);
    // Links of a person remain where a directory has deactivated them.
    for (const organizationId of new Set([...memberships, ...access.tokens, ...access.displayLinks])) {
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'account.password_reset',
        actor: { userId: id },
        details: {
          // Without the client's address: the reset opens no organization.
          email,
          endedSessions,
          ...countEnded(access, organizationId),
        },
      });
    }
    return { endedSessions, ...countEnded(access) };
  });
  later(() => mailPasswordReset({ mailer, publicUrl }, email, ended));
  return ended;
}

async function requirePasswordReset(reader: Reader, clock: Clock, tokenHash: string): Promise<string> {
  const userId = await findPasswordReset(reader, tokenHash, timestamp(clock()));
  if (userId !== undefined) return userId;
  throw new AtriumError(
    'link_not_valid',
    'This link was already used, was replaced by a newer one, or has expired. Request a new one.',
  );
}

/** Deletes the links that have expired. */
export async function sweepPasswordResets(database: Database, clock: Clock): Promise<void> {
  await database.writeSlowly((transaction) => deleteExpiredPasswordResets(transaction, timestamp(clock())));
}
