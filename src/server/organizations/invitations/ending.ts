import { mayGive, roles, type Role } from '#shared/permissions.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import { deleteInvitationsOfInviter, deleteInvitationsTo } from './store.ts';

/**
 * Ends the open invitations that a person created and may no longer create, in the transaction that changes the
 * person's role to `role`. Returns their addresses.
 */
export async function endInvitationsOfInviter(
  transaction: Transaction,
  clock: Clock,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role | undefined },
): Promise<string[]> {
  const lost = roles.filter((invitedTo) => !mayGive(role, invitedTo));
  if (lost.length === 0) return [];
  const made = { organizationId, invitedBy: userId, roles: lost, now: timestamp(clock()) };
  return (await deleteInvitationsOfInviter(transaction, made)).toSorted();
}

/** Ends the open invitations that a removed member created or could use to join again. Returns their addresses. */
export async function endInvitationsOfMember(
  transaction: Transaction,
  clock: Clock,
  { organizationId, userId, email }: { organizationId: string; userId: string; email: string },
): Promise<string[]> {
  const made = await endInvitationsOfInviter(transaction, clock, { organizationId, userId, role: undefined });
  const received = await deleteInvitationsTo(transaction, { organizationId, email, now: timestamp(clock()) });
  return [...made, ...received].toSorted();
}
