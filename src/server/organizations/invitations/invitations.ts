import type { Invitation } from '#contract/organizations/invitations.ts';
import type { Organization, Role } from '#contract/organizations/organizations.ts';
import { mayGive } from '#shared/permissions.ts';
import { recordAudit } from '../../audit/audit.ts';
import { requireFullScope, type Actor, type SessionActor } from '../../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../../base/paging.ts';
import { hashToken, newToken } from '../../base/credentials/tokens.ts';
import type { MailReservation } from '../../mail/limits.ts';
import type { ReservingMailer } from '../../mail/mailer.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import {
  deleteExpiredInvitations,
  deleteInvitation,
  findInvitation,
  findInvitedRole,
  findOpenRole,
  selectInvitations,
  upsertInvitation,
  type OpenInvitation,
} from './store.ts';
import { publishMember } from '../events.ts';
import { insertMember, isMemberByEmail } from '../member-store.ts';
import { lockOrganization, requirePermission, requirePermissionToChange } from '../authorization.ts';
import { requireConfirmationToGive, requireMayGive } from '../members.ts';
import { getOrganization } from '../organizations.ts';
import { requireNotSuspended } from '../suspension/suspension.ts';
import { lockAccount, requireEmail } from '../users.ts';

const lifetimeMs = daysMs(7);

export interface InvitationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: ReservingMailer;
}

/** A new invitation, with the token of its link. */
export interface CreatedInvitation {
  readonly invitation: Invitation;
  readonly token: string;
  readonly organizationName: string;
  /** The email with the link; undefined if no mail server is configured. */
  readonly reservation: MailReservation | undefined;
}

/**
 * Invites an address for seven days. Owner or admin. Throws `already_member`, and `too_many_attempts` if no more emails with invitations
 * may be sent: an invitation that is open stays as it is then, since its email was sent.
 */
export function createInvitation(
  { database, clock, mailer }: InvitationDependencies,
  actor: Actor,
  input: { organizationId: string; email: string; role: Role },
): Promise<CreatedInvitation> {
  const email = requireEmail(input.email);
  const token = newToken();
  const now = clock();
  const invitation = {
    id: newId(),
    email,
    role: input.role,
    createdAt: timestamp(now),
    expiresAt: timestamp(now + lifetimeMs),
  };
  return database.write(async (transaction) => {
    const actorRole = await requirePermissionToChange(
      transaction,
      actor,
      input.organizationId,
      'member.manage',
    );
    const { organizationId } = input;
    const replaced = await findOpenRole(transaction, { organizationId, email, now: timestamp(now) });
    requireMayGive(actorRole, input.role, ...(replaced === undefined ? [] : [replaced]));
    await requireConfirmationToGive(transaction, clock, actor, input);
    if (await isMemberByEmail(transaction, input.organizationId, email)) throw alreadyMember();
    await upsertInvitation(transaction, {
      ...invitation,
      organizationId: input.organizationId,
      tokenHash: hashToken(token),
      invitedBy: actor.userId,
    });
    await recordAudit(transaction, clock, {
      organizationId: input.organizationId,
      action: 'invitation.created',
      actor,
      details: { email, role: input.role },
    });
    const { name } = await getOrganization(transaction, actor, input.organizationId);
    const target = { kind: 'invitation', to: email, organizationId } as const;
    const reservation = mailer.isConfigured ? await mailer.reserve(transaction, target) : undefined;
    return { invitation, token, organizationName: name, reservation };
  });
}

/** Lists the open invitations. Owner or admin. */
export async function listInvitations(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Invitation>> {
  await requirePermission(reader, actor, organizationId, 'member.manage');
  const rows = await selectInvitations(reader, organizationId, timestamp(clock()), page);
  return toPage(rows, ({ id }) => id);
}

/**
 * Revokes an invitation: its link stops working. Requires the admin role or higher; for an owner's invitation, the owner role.
 */
export async function revokeInvitation(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { organizationId: string; invitationId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const { organizationId, invitationId } = input;
    const actorRole = await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const role = await findInvitedRole(transaction, organizationId, invitationId);
    if (role === undefined) throw notFound();
    requireMayGive(actorRole, role);
    await deleteInvitation(transaction, organizationId, invitationId);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'invitation.revoked',
      actor,
      details: { invitationId },
    });
  });
}

/**
 * Returns the open invitation of a token. Throws `link_not_valid`, also if the person who created the invitation may no
 * longer give its role.
 */
export async function getInvitation(reader: Reader, clock: Clock, token: string): Promise<OpenInvitation> {
  const invitation = await findInvitation(reader, hashToken(token), timestamp(clock()));
  if (invitation === undefined || !mayGive(invitation.inviterRole ?? undefined, invitation.role)) {
    throw new AtriumError(
      'link_not_valid',
      'This invitation was already used, was revoked or replaced, or has expired. Ask for a new one.',
    );
  }
  return invitation;
}

/** Dependencies of accepting an invitation. */
export interface AcceptanceDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Ends the oldest sessions of a new member, beyond the limit of the organization; never `exceptId`. */
  readonly applySessionLimit: (
    transaction: Transaction,
    member: { readonly organizationId: string; readonly userId: string; readonly exceptId: string },
  ) => Promise<void>;
}

/**
 * Makes the actor a member, and ends their oldest sessions if there are too many, but not this one. Throws `link_not_valid`, and
 * `forbidden` if the invitation is for another address.
 */
export function acceptInvitation(
  { database, clock, applySessionLimit }: AcceptanceDependencies,
  actor: SessionActor,
  token: string,
): Promise<Organization> {
  requireFullScope(actor, 'Sign in with your password to join another organization.');
  return database.write(async (transaction) => {
    const invitation = await lockInvitation(transaction, clock, token);
    // Locked, so that an account that is being deleted becomes a member before or not at all.
    const user = await lockAccount(transaction, actor.userId);
    if (user.email !== invitation.email) {
      throw new AtriumError(
        'forbidden',
        'The invitation is for a different email address than that of your account.',
      );
    }
    const { organizationId } = invitation;
    await useInvitation(transaction, clock, invitation, user.id);
    await applySessionLimit(transaction, {
      organizationId,
      userId: user.id,
      exceptId: actor.credential.id,
    });
    return getOrganization(transaction, actor, organizationId);
  });
}

/**
 * Like `getInvitation`, but locks the invitation: until the transaction ends, nobody else can use it, revoke it, or
 * change the role of the person who created it.
 */
export async function lockInvitation(
  transaction: Transaction,
  clock: Clock,
  token: string,
): Promise<OpenInvitation> {
  const { organizationId } = await getInvitation(transaction, clock, token);
  await lockOrganization(transaction, organizationId);
  return getInvitation(transaction, clock, token);
}

/**
 * Makes the user a member with an invitation that this transaction has locked, and deletes it. Throws `already_member`, and
 * `forbidden` if the directory has deactivated the person.
 */
export async function useInvitation(
  transaction: Transaction,
  clock: Clock,
  { organizationId, id, role, invitedBy }: OpenInvitation,
  userId: string,
): Promise<void> {
  await requireNotSuspended(transaction, { organizationId, userId });
  await deleteInvitation(transaction, organizationId, id);
  const at = timestamp(clock());
  const added = await insertMember(transaction, { organizationId, userId, role, at, by: invitedBy });
  if (!added) throw alreadyMember();
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'invitation.accepted',
    actor: { userId },
    details: { role },
  });
  await publishMember(transaction, { organizationId, userId, at, actorId: userId });
}

/** Deletes invitations that have expired, with the addresses in them. */
export async function sweepInvitations(database: Database, clock: Clock): Promise<void> {
  await database.writeSlowly((transaction) => deleteExpiredInvitations(transaction, timestamp(clock())));
}

const alreadyMember = () =>
  new AtriumError('already_member', 'The person is already a member of this organization.');
