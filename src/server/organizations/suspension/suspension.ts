import type { SuspendedMember } from '#contract/organizations/members.ts';
import type { Role } from '#shared/permissions.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { toPage, type Page, type PageRequest } from '../../base/paging.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { requirePermission, requirePermissionToChange } from '../authorization.ts';
import { deleteMembership, type EndMembership } from '../ended-membership.ts';
import { deleteGroupsOfMember } from '../groups/store.ts';
import { deleteMember, findMember, insertMember } from '../member-store.ts';
import { endInvitationsOfMember } from '../invitations/ending.ts';
import { findRoleOf, isLastOwner, requireMayGive } from '../members.ts';
import { deleteSuspended, findSuspended, insertSuspended, selectSuspended } from './store.ts';
import { getUser } from '../users.ts';

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

/** Returns the role that a suspended member gets back, or undefined if the user is not suspended. */
const findSuspendedRole = async (reader: Reader, member: MemberKey): Promise<Role | undefined> =>
  (await findSuspended(reader, member))?.role;

/** Throws `forbidden` if the directory of the organization has deactivated a user. */
export async function requireNotSuspended(reader: Reader, member: MemberKey): Promise<void> {
  if ((await findSuspended(reader, member)) === undefined) return;
  throw new AtriumError(
    'forbidden',
    'The directory of this organization has deactivated this person. It has to be activated there again.',
  );
}

/**
 * Takes the membership of a member until it is restored. The last owner stays a member, since nobody else could manage the
 * organization. The caller ends sessions and tokens. Returns whether the membership was taken.
 */
export async function suspendMember(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  { organizationId, userId }: MemberKey,
): Promise<boolean> {
  const member = await findMember(transaction, organizationId, userId);
  if (member === undefined) return false;
  const { email, role } = member;
  const isLast = await isLastOwner(transaction, organizationId, userId);
  if (!isLast) {
    await insertSuspended(transaction, { organizationId, userId, at: timestamp(clock()) });
    await deleteMember(transaction, organizationId, userId);
    await deleteGroupsOfMember(transaction, { organizationId, userId });
    await endInvitationsOfMember(transaction, clock, { organizationId, userId, email });
  }
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'member.suspended',
    ...(actor && { actor }),
    details: { userId, email, role, ...(isLast && { isLastOwner: true }) },
  });
  return !isLast;
}

/** Gives a suspended member the membership back, with its role. Returns the role; undefined if the user was not suspended. */
export async function restoreMember(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  { organizationId, userId }: MemberKey,
): Promise<Role | undefined> {
  const suspended = await findSuspended(transaction, { organizationId, userId });
  if (suspended === undefined) return undefined;
  const { role, createdAt } = suspended;
  await deleteSuspended(transaction, { organizationId, userId });
  await insertMember(transaction, { organizationId, userId, role, at: createdAt, by: null });
  const email = (await findMember(transaction, organizationId, userId))?.email;
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'member.restored',
    actor,
    details: { userId, email, role },
  });
  return role;
}

/** Removes a member, suspended or not, that the directory has deleted. The caller has checked that this isn't the last owner. */
export async function removeDeletedMember(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  { organizationId, userId, endMembership }: MemberKey & { readonly endMembership: EndMembership },
): Promise<void> {
  const current = await findRoleOf(transaction, organizationId, userId);
  const role = current ?? (await findSuspendedRole(transaction, { organizationId, userId }));
  if (role === undefined) return;
  const { email } = await getUser(transaction, userId);
  await deleteSuspended(transaction, { organizationId, userId });
  // A sign-in in progress would make them a member again, and nobody knows yet whose it is. Suspended people can't sign in, so deleting
  // them, as Entra does after 30 days, cancels no sign-ins of others.
  const removed = { organizationId, userId, email, left: current === undefined };
  await deleteMembership(transaction, { clock, endMembership }, removed);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'member.removed',
    actor,
    details: { userId, email, role, by: 'directory' },
  });
}

/** Lists the suspended members by user ID. Owners and admins. */
export async function listSuspendedMembers(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<SuspendedMember>> {
  await requirePermission(reader, actor, organizationId, 'member.manage');
  return toPage(await selectSuspended(reader, organizationId, page), ({ userId }) => userId);
}

/**
 * Ends a suspension without giving the membership back: the person can be invited again, or sign in through a directory that lets them.
 * Without this, nobody could have them back if the directory no longer provisions. Owners and admins; only owners for an owner. Throws
 * `confirmation_required`, since it overrules the directory, and `not_found`.
 */
export async function endSuspension(
  { database, clock, endMembership }: SuspensionDependencies,
  actor: Actor,
  { organizationId, userId }: MemberKey,
): Promise<void> {
  await database.write(async (transaction) => {
    const actorRole = await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const role = await findSuspendedRole(transaction, { organizationId, userId });
    if (role === undefined) throw notFound();
    requireMayGive(actorRole, role);
    requireConfirmation(actor, clock);
    const { email } = await getUser(transaction, userId);
    await deleteSuspended(transaction, { organizationId, userId });
    await endMembership(transaction, { organizationId, userId, left: true });
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'member.suspension_ended',
      actor,
      details: { userId, email, role },
    });
  });
}

interface SuspensionDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly endMembership: EndMembership;
}
