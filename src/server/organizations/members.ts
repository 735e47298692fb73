import { roles, type Member, type Role } from '#contract/organizations.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import {
  deleteMember,
  findMember,
  findRole,
  selectMembers,
  selectOrganizationIds,
  selectOwners,
  updateMemberRole,
} from './member-store.ts';
import { lockOrganizationRow } from './organization-store.ts';

/** Whether the actor's session may open what an organization has, or (undefined) what is the actor's own. */
export const isOpenTo = (actor: Actor, organizationId: string | undefined): boolean =>
  actor.onlyOrganizationId === undefined || actor.onlyOrganizationId === organizationId;

/**
 * Returns the actor's role in an organization. Throws `not_found` when the actor is no member, which tells nothing
 * of whether there is such an organization, and `forbidden` when the role is lower than `needed`.
 */
export async function requireRole(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  needed: Role,
): Promise<Role> {
  const role = isOpenTo(actor, organizationId)
    ? await findRole(reader, organizationId, actor.userId)
    : undefined;
  if (role === undefined) throw notFound();
  if (!isAtLeast(role, needed)) {
    throw new AtriumError('forbidden', `This takes the role ${needed} or higher; yours is ${role}.`);
  }
  return role;
}

/**
 * To be called first in a transaction that decides by what the organization has (its owners, its invitations, its
 * configuration): others that do the same wait until this one ends.
 */
export async function lockOrganization(transaction: Transaction, organizationId: string): Promise<void> {
  await lockOrganizationRow(transaction, organizationId);
}

/** Returns the ids of the organizations that the actor's session opens. */
export async function listOrganizationIds(reader: Reader, actor: Actor): Promise<string[]> {
  const ids = await selectOrganizationIds(reader, actor.userId);
  return ids.filter((id) => isOpenTo(actor, id));
}

/** Lists the members by user id. Any member may. */
export async function listMembers(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Member>> {
  await requireRole(reader, actor, organizationId, 'viewer');
  const rows = await selectMembers(reader, organizationId, page);
  return toPage(rows, page, ({ userId }) => userId);
}

/** Changes a role. Owner or admin; what touches an owner takes an owner. Throws `last_owner`. */
export function changeMemberRole(
  database: Database,
  actor: Actor,
  input: { organizationId: string; userId: string; role: Role },
): Promise<Member> {
  const { organizationId, userId, role } = input;
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const actorRole = await requireRole(transaction, actor, organizationId, 'admin');
    const member = await getMember(transaction, organizationId, userId);
    requireOwnerFor(actorRole, member.role, role);
    if (role !== 'owner') await requireAnotherOwner(transaction, organizationId, member);
    await updateMemberRole(transaction, organizationId, userId, role);
    return { ...member, role };
  });
}

/** Removes a member; anybody may leave. Owner or admin, for an owner an owner. Throws `last_owner`. */
export async function removeMember(
  database: Database,
  actor: Actor,
  input: { organizationId: string; userId: string },
): Promise<void> {
  const { organizationId, userId } = input;
  await database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const leaves = userId === actor.userId;
    const actorRole = await requireRole(transaction, actor, organizationId, leaves ? 'viewer' : 'admin');
    const member = await getMember(transaction, organizationId, userId);
    requireOwnerFor(actorRole, member.role);
    await requireAnotherOwner(transaction, organizationId, member);
    await deleteMember(transaction, organizationId, userId);
  });
}

/** Throws `forbidden` when one of `touched` is the role owner, and the actor's is not. */
export function requireOwnerFor(actorRole: Role, ...touched: Role[]): void {
  if (actorRole !== 'owner' && touched.includes('owner')) {
    throw new AtriumError(
      'forbidden',
      `Only an owner makes, changes or removes an owner; your role is ${actorRole}.`,
    );
  }
}

async function getMember(reader: Reader, organizationId: string, userId: string): Promise<Member> {
  const member = await findMember(reader, organizationId, userId);
  if (member === undefined) throw notFound();
  return member;
}

async function requireAnotherOwner(reader: Reader, organizationId: string, member: Member): Promise<void> {
  const owners = await selectOwners(reader, organizationId);
  if (owners.every((ownerId) => ownerId === member.userId)) {
    throw new AtriumError('last_owner', 'This is the last owner; make somebody else an owner first.');
  }
}

const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) <= roles.indexOf(needed);
