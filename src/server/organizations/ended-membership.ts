import type { Clock } from '../base/clock.ts';
import type { Transaction } from '../storage/database.ts';
import { deleteGroupsOfMember } from './groups/store.ts';
import { endInvitationsOfMember } from './invitations/ending.ts';
import { deleteMember } from './member-store.ts';

/** Ends what the features gave a member access to, in the transaction that ends the membership. */
export type EndMembership = (transaction: Transaction, member: EndedMembership) => Promise<void>;

export interface EndedMembership {
  readonly organizationId: string;
  readonly userId: string;
  /** Whether the member left, rather than being removed by another. */
  readonly left: boolean;
}

/** Deletes a membership with everything that it gave access to. Returns the addresses whose invitations ended with it. */
export async function deleteMembership(
  transaction: Transaction,
  { clock, endMembership }: { readonly clock: Clock; readonly endMembership: EndMembership },
  { email, left, ...member }: EndedMembership & { readonly email: string },
): Promise<string[]> {
  const { organizationId, userId } = member;
  await deleteMember(transaction, organizationId, userId);
  await deleteGroupsOfMember(transaction, member);
  await endMembership(transaction, { ...member, left });
  return endInvitationsOfMember(transaction, clock, { ...member, email });
}
