import type { Invitation } from '#contract/invitations.ts';
import type { Organization, Role } from '#contract/organizations.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import { hashToken, newToken } from '../base/tokens.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import {
  deleteInvitation,
  findInvitation,
  selectInvitations,
  upsertInvitation,
  type OpenInvitation,
} from './invitation-store.ts';
import { insertMember, isMemberByEmail } from './member-store.ts';
import { lockOrganization, requireOwnerFor, requireRole, requireRoleToChange } from './members.ts';
import { getOrganization } from './organizations.ts';
import { getUser, requireEmail } from './users.ts';

const lifetimeMs = daysMs(7);

/** Invites an address for seven days; returns the token of the link too. Owner or admin. Throws `already_member`. */
export function createInvitation(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { organizationId: string; email: string; role: Role },
): Promise<{ invitation: Invitation; token: string; organizationName: string }> {
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
    const actorRole = await requireRoleToChange(transaction, actor, input.organizationId, 'admin');
    requireOwnerFor(actorRole, input.role);
    if (await isMemberByEmail(transaction, input.organizationId, email)) throw alreadyMember();
    await upsertInvitation(transaction, {
      ...invitation,
      organizationId: input.organizationId,
      tokenHash: hashToken(token),
    });
    await recordAudit(transaction, clock, {
      organizationId: input.organizationId,
      action: 'invitation.created',
      actor,
      details: { email, role: input.role },
    });
    const { name } = await getOrganization(transaction, actor, input.organizationId);
    return { invitation, token, organizationName: name };
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
  await requireRole(reader, actor, organizationId, 'admin');
  const rows = await selectInvitations(reader, organizationId, timestamp(clock()), page);
  return toPage(rows, page, ({ id }) => id);
}

/** Takes an invitation back: its link ends. Owner or admin. */
export async function revokeInvitation(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { organizationId: string; invitationId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    await requireRole(transaction, actor, input.organizationId, 'admin');
    if (!(await deleteInvitation(transaction, input.organizationId, input.invitationId))) throw notFound();
    await recordAudit(transaction, clock, {
      organizationId: input.organizationId,
      action: 'invitation.revoked',
      actor,
      details: { invitationId: input.invitationId },
    });
  });
}

/** Returns the open invitation that a token stands for. Throws `link_not_valid`. */
export async function getInvitation(reader: Reader, clock: Clock, token: string): Promise<OpenInvitation> {
  const invitation = await findInvitation(reader, hashToken(token), timestamp(clock()));
  if (invitation === undefined) {
    throw new AtriumError(
      'link_not_valid',
      'This invitation was used, taken back, replaced or has expired; ask for a new one.',
    );
  }
  return invitation;
}

/** Makes the actor a member. Throws `link_not_valid`, and `forbidden` when the invitation is to another address. */
export function acceptInvitation(
  database: Database,
  clock: Clock,
  actor: Actor,
  token: string,
): Promise<Organization> {
  if (actor.onlyOrganizationId !== undefined) {
    throw new AtriumError(
      'forbidden',
      'This session opens one organization alone; sign in with a password to join another.',
    );
  }
  return database.write(async (transaction) => {
    const invitation = await getInvitation(transaction, clock, token);
    const user = await getUser(transaction, actor.userId);
    if (user.email !== invitation.email) {
      throw new AtriumError(
        'forbidden',
        'The invitation is to another e-mail address than the one of this account.',
      );
    }
    await useInvitation(transaction, clock, invitation, user.id);
    return getOrganization(transaction, actor, invitation.organizationId);
  });
}

/** Uses an invitation up: the user becomes a member. Throws `link_not_valid` when somebody was faster. */
export async function useInvitation(
  transaction: Transaction,
  clock: Clock,
  { organizationId, id, role }: OpenInvitation,
  userId: string,
): Promise<void> {
  await lockOrganization(transaction, organizationId);
  if (!(await deleteInvitation(transaction, organizationId, id))) {
    throw new AtriumError('link_not_valid', 'This invitation has just been used or taken back.');
  }
  const added = await insertMember(transaction, { organizationId, userId, role, at: timestamp(clock()) });
  if (!added) throw alreadyMember();
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'invitation.accepted',
    actor: { userId },
    details: { role },
  });
}

const alreadyMember = () =>
  new AtriumError('already_member', 'The person is a member of this organization already.');
