import type { Role } from '#shared/permissions.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { deleteGroupsOfMember } from '../group-store.ts';
import { deleteMember, findMember, insertMember } from '../member-store.ts';
import { findRoleOf, isLastOwner, type EndMembership } from '../members.ts';
import { endInvitationsOfMember } from '../role-grants.ts';
import { deleteSuspended, findSuspended, insertSuspended } from './store.ts';
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
  actor: Actor,
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
    actor,
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

/** Removes a member, suspended or not, that the directory has deleted. The last owner stays. Returns whether someone was removed. */
export async function removeDeletedMember(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  { organizationId, userId, endMembership }: MemberKey & { readonly endMembership: EndMembership },
): Promise<boolean> {
  if (await isLastOwner(transaction, organizationId, userId)) return false;
  const role =
    (await findRoleOf(transaction, organizationId, userId)) ??
    (await findSuspendedRole(transaction, { organizationId, userId }));
  if (role === undefined) return false;
  const { email } = await getUser(transaction, userId);
  await deleteSuspended(transaction, { organizationId, userId });
  await deleteMember(transaction, organizationId, userId);
  await deleteGroupsOfMember(transaction, { organizationId, userId });
  // Like a member who left: no sign-ins of others are canceled.
  await endMembership(transaction, { organizationId, userId, left: true });
  await endInvitationsOfMember(transaction, clock, { organizationId, userId, email });
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'member.removed',
    actor,
    details: { userId, email, role, by: 'directory' },
  });
  return true;
}
