import { randomInt } from 'node:crypto';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { lockOrganization } from '../authorization.ts';
import { deleteMembership, type EndMembership } from '../ended-membership.ts';
import { findMember, selectMemberships } from '../member-store.ts';
import { isLastOwner } from '../members.ts';
import {
  deleteInvitationsBy,
  deleteSuspensions,
  lockOperators,
  replacePerson,
  selectOrganizationNames,
} from './queries.ts';

/** Returns the organizations of which a user is the last owner, sorted by name. */
export async function listSolelyOwned(
  reader: Reader,
  userId: string,
  organizationIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const owned: string[] = [];
  for (const id of organizationIds) {
    const member = await findMember(reader, id, userId);
    if (member?.role === 'owner' && (await isLastOwner(reader, id, userId))) owned.push(id);
  }
  return owned.length === 0 ? [] : selectOrganizationNames(reader, owned);
}

/** Throws `last_owner`, naming the organizations of which a user is the last owner, if there are any. */
export async function requireOtherOwners(
  reader: Reader,
  userId: string,
  organizationIds: readonly string[],
): Promise<void> {
  const organizations = await listSolelyOwned(reader, userId, organizationIds);
  if (organizations.length === 0) return;
  const names = organizations.map(({ name }) => `“${name}”`).join(', ');
  throw new AtriumError(
    'last_owner',
    `The account is the last owner of ${names}. Make another member an owner, or delete the organization first.`,
  );
}

/** Locks the organizations of a user in the same order as everyone, so that no owner is deleted at the same time as another. */
export async function lockOrganizationsOf(transaction: Transaction, userId: string): Promise<string[]> {
  const ids = (await selectMemberships(transaction, userId)).map(({ organizationId }) => organizationId);
  for (const id of ids.toSorted()) await lockOrganization(transaction, id);
  return (await selectMemberships(transaction, userId))
    .map(({ organizationId }) => organizationId)
    .toSorted();
}

/** Throws `last_operator` if a user is the only operator of the server whose account isn't disabled. */
export async function requireAnotherOperator(transaction: Transaction, userId: string): Promise<void> {
  const operators = await lockOperators(transaction);
  if (!operators.some(({ id }) => id === userId)) return;
  if (operators.some(({ id, disabledAt }) => id !== userId && disabledAt === null)) return;
  throw new AtriumError(
    'last_operator',
    'The account is the last operator of this server. Make another account an operator first.',
  );
}

/**
 * Ends the membership of a person whose account is being deleted, who isn't the last owner. `handedTo` is the member who got what
 * they owned.
 */
export async function endMembershipOfDeleted(
  transaction: Transaction,
  { clock, endMembership }: { readonly clock: Clock; readonly endMembership: EndMembership },
  actor: Actor,
  { organizationId, userId, handedTo }: { organizationId: string; userId: string; handedTo?: string },
): Promise<void> {
  const member = await findMember(transaction, organizationId, userId);
  if (member === undefined) return;
  const { email, role } = member;
  await deleteMembership(
    transaction,
    { clock, endMembership },
    { organizationId, userId, email, left: true },
  );
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'account.deleted',
    actor,
    details: { userId, role, ...(handedTo !== undefined && { handedTo }) },
  });
}

/** Without letters and digits that look alike. */
const pseudonymCharacters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns random characters by which people recognize a deleted person, and nobody finds out who it was. */
const newPseudonym = (): string =>
  Array.from({ length: 10 }, () => pseudonymCharacters[randomInt(pseudonymCharacters.length)]).join('');

/**
 * Replaces the person in the row of an account by a pseudonym, and deletes the invitations that they created. The row stays, since comments,
 * versions and entries of the logs have its ID.
 */
export async function pseudonymize(
  transaction: Transaction,
  clock: Clock,
  id: string,
  { endMembership }: { readonly endMembership: EndMembership },
): Promise<void> {
  await deleteInvitationsBy(transaction, id);
  for (const suspended of await deleteSuspensions(transaction, id))
    await endMembership(transaction, { organizationId: suspended, userId: id, left: true });
  const pseudonym = newPseudonym();
  await replacePerson(transaction, {
    id,
    email: `deleted-${pseudonym.toLowerCase()}@deleted-accounts.invalid`,
    name: `Deleted person ${pseudonym}`,
    at: timestamp(clock()),
  });
}
