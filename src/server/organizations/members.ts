import type { Member } from '#contract/organizations/members.ts';
import { may, mayGive, type Role } from '#shared/permissions.ts';
import type { User } from '#contract/accounts/sessions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { deleteMembership, type EndMembership } from './ended-membership.ts';
import {
  clearDirectorySignIns,
  findMember,
  findMembership,
  findOwner,
  insertMember,
  selectMailAddresses,
  selectMembers,
  selectMemberships,
  selectSsoRequirements,
  isOnlyOwner,
  selectOwners,
  updateDirectorySignIn,
  updateMemberRole,
  type MailedMembers,
} from './member-store.ts';
import {
  requireConfirmationOfSsoChange,
  requirePermission,
  requirePermissionToChange,
} from './authorization.ts';
import { publishMember } from './events.ts';
import { endInvitationsOfInviter } from './invitations/ending.ts';
import { createServiceAccountUser } from './users.ts';

/** Returns the ids of the organizations of a user, without an actor's scope. */
export const listOrganizationIdsOfUser = async (reader: Reader, userId: string): Promise<string[]> =>
  (await selectMemberships(reader, userId)).map(({ organizationId }) => organizationId);

/**
 * Whether a user can't use a password: they are in at least one organization, and all of theirs require SSO and have verified the domain
 * of the address. Others only close themselves to the password: they must not lock people out of the rest of their account. One whose
 * directory has deactivated the person counts, too: the password must not become usable then.
 */
export async function isPasswordUseless(reader: Reader, userId: string): Promise<boolean> {
  const requirements = await selectSsoRequirements(reader, userId);
  return requirements.length > 0 && requirements.every((isRequired) => isRequired);
}

/** Returns the role of a user, or undefined, without an actor's scope. */
export async function findRoleOf(
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> {
  return (await findMembership(reader, organizationId, userId))?.role;
}

/** Returns the user ids of the owners of an organization, which has at least one. */
export const listOwnerIds = (reader: Reader, organizationId: string): Promise<string[]> =>
  selectOwners(reader, organizationId);

/** Returns the confirmed addresses of members whose account is not disabled, for emails about their organization. */
export const listMailAddresses = (reader: Reader, of: MailedMembers): Promise<string[]> =>
  selectMailAddresses(reader, of);

/** Returns an owner of an organization by a normalized email, or undefined. */
export const findOwnerByEmail = (
  reader: Reader,
  organizationId: string,
  email: string,
): Promise<User | undefined> => findOwner(reader, organizationId, email);

/**
 * Gives a user the role from the directory, or from the operator, as a new member or instead of the previous role. The last owner keeps
 * the role, so that a mapping can't lock everyone out. Returns the user's current role.
 */
export async function applyRole(
  transaction: Transaction,
  clock: Clock,
  input: { organizationId: string; userId: string; role: Role; by?: 'operator' },
): Promise<Role> {
  const { organizationId, userId, role, by = 'directory' } = input;
  const previous = await findRoleOf(transaction, organizationId, userId);
  if (previous === undefined) {
    await insertMember(transaction, { organizationId, userId, role, at: timestamp(clock()), by: null });
    const { email, emailVerified } = await getMember(transaction, organizationId, userId);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'member.added',
      details: { userId, email, ...(emailVerified === false && { emailVerified }), role, by },
    });
    await publishMember(transaction, { organizationId, userId, at: timestamp(clock()) });
    return role;
  }
  if (
    previous === role ||
    (previous === 'owner' && (await isLastOwner(transaction, organizationId, userId)))
  ) {
    return previous;
  }
  const at = timestamp(clock());
  await updateMemberRole(transaction, { organizationId, userId, role, at, by: null });
  const ended = await endInvitationsOfInviter(transaction, clock, input);
  const { email } = await getMember(transaction, organizationId, userId);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'member.role_changed',
    details: { userId, email, before: previous, after: role, by, ...endedInvitations(ended) },
  });
  return role;
}

/** Adds a new service account to an organization. The caller checks permission. */
export async function addServiceAccount(
  transaction: Transaction,
  clock: Clock,
  {
    organizationId,
    role,
    ...account
  }: { organizationId: string; name: string; role: Role; createdBy: string },
): Promise<{ id: string; createdAt: string }> {
  const { id } = await createServiceAccountUser(transaction, clock, { organizationId, ...account });
  const createdAt = timestamp(clock());
  const by = account.createdBy;
  await insertMember(transaction, { organizationId, userId: id, role, at: createdAt, by });
  return { id, createdAt };
}

/** Stores that a member has just signed in through the directory of an organization, which vouches for their tokens for a while. */
export async function recordDirectorySignIn(
  transaction: Transaction,
  input: { organizationId: string; userId: string; at: string },
): Promise<void> {
  await updateDirectorySignIn(transaction, input);
}

/** Forgets when a member signed in through a directory, since it no longer vouches for them. */
export async function forgetDirectorySignIn(
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<void> {
  await updateDirectorySignIn(transaction, { ...member, at: null });
}

/**
 * Forgets when the people of a directory signed in through it, since it vouches for nobody any more. People who also have an
 * identity in another directory of the organization have to sign in there again.
 */
export async function forgetDirectorySignIns(
  transaction: Transaction,
  of: { readonly organizationId: string; readonly configurationId: string },
): Promise<void> {
  await clearDirectorySignIns(transaction, of);
}

/**
 * Lists the members by user id, for any member. How each one signs in is only shown to people who can manage members.
 */
export async function listMembers(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Member>> {
  const role = await requirePermission(reader, actor, organizationId, 'organization.view');
  const rows = await selectMembers(reader, organizationId, page);
  const { items, ...rest } = toPage(rows, ({ userId }) => userId);
  if (may(role, 'member.manage')) return { items, ...rest };
  return { items: items.map(({ signInMethods: _, hasSecondFactor: __, ...member }) => member), ...rest };
}

/** Changes a role. Owners and admins; only owners add, change or remove owners. Throws `last_owner`. */
export function changeMemberRole(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { organizationId: string; userId: string; role: Role },
): Promise<Member> {
  const { organizationId, userId, role } = input;
  return database.write(async (transaction) => {
    const actorRole = await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const member = await getMember(transaction, organizationId, userId);
    requireMayGive(actorRole, member.role, role);
    if (role === 'owner' && member.isServiceAccount === true)
      throw new AtriumError('forbidden', 'A service account can’t be an owner.');
    requireConfirmationFor(actor, clock, member.role);
    await requireConfirmationToGive(transaction, clock, actor, { organizationId, role });
    if (role !== 'owner') await requireAnotherOwner(transaction, organizationId, member);
    await updateMemberRole(transaction, { ...input, at: timestamp(clock()), by: actor.userId });
    const ended = await endInvitationsOfInviter(transaction, clock, input);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'member.role_changed',
      actor,
      details: {
        userId,
        email: member.email,
        before: member.role,
        after: role,
        ...endedInvitations(ended),
      },
    });
    return { ...member, role };
  });
}

/** Removes a member; anyone may leave. Owners and admins; only owners remove owners. Throws `last_owner`. */
export async function removeMember(
  { database, clock, endMembership }: { database: Database; clock: Clock; endMembership: EndMembership },
  actor: Actor,
  input: { organizationId: string; userId: string },
): Promise<void> {
  const { organizationId, userId } = input;
  await database.write(async (transaction) => {
    const leaves = userId === actor.userId;
    const actorRole = await requirePermissionToChange(
      transaction,
      actor,
      organizationId,
      leaves ? 'organization.view' : 'member.manage',
    );
    const member = await getMember(transaction, organizationId, userId);
    if (!leaves) requireMayGive(actorRole, member.role);
    requireConfirmationFor(actor, clock, member.role);
    await requireAnotherOwner(transaction, organizationId, member);
    const removed = { organizationId, userId, email: member.email, left: leaves };
    const ended = await deleteMembership(transaction, { clock, endMembership }, removed);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'member.removed',
      actor,
      details: { userId, email: member.email, role: member.role, ...endedInvitations(ended) },
    });
  });
}

/** Returns the audit details about invitations that ended with the change: their addresses, if there were any. */
const endedInvitations = (emails: readonly string[]): { endedInvitations?: readonly string[] } =>
  emails.length === 0 ? {} : { endedInvitations: emails };

/** Throws `forbidden` unless the actor's role permits giving and taking each of the roles `touched`. */
export function requireMayGive(actorRole: Role, ...touched: Role[]): void {
  if (touched.every((role) => mayGive(actorRole, role))) return;
  throw new AtriumError(
    'forbidden',
    `Only an owner can add, change or remove owners; your role is ${actorRole}.`,
  );
}

/** Throws `confirmation_required` if a role that a change touches is owner, and the actor has no recent confirmation. */
function requireConfirmationFor(actor: Actor, clock: Clock, touched: Role): void {
  if (touched === 'owner') requireConfirmation(actor, clock);
}

/**
 * Like `requireConfirmationFor`, before the actor gives somebody a role. Where changes of single sign-on need a confirmation, giving a
 * role that can make them does, too: its new holder could confirm with a password of their own.
 */
export async function requireConfirmationToGive(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  { organizationId, role }: { readonly organizationId: string; readonly role: Role },
): Promise<void> {
  requireConfirmationFor(actor, clock, role);
  if (may(role, 'sso.manage')) await requireConfirmationOfSsoChange(reader, clock, actor, organizationId);
}

async function getMember(reader: Reader, organizationId: string, userId: string): Promise<Member> {
  const member = await findMember(reader, organizationId, userId);
  if (member === undefined) throw notFound();
  return member;
}

async function requireAnotherOwner(reader: Reader, organizationId: string, member: Member): Promise<void> {
  if (await isLastOwner(reader, organizationId, member.userId)) {
    throw new AtriumError(
      'last_owner',
      'An organization must have at least one owner. Make another member an owner first.',
    );
  }
}

/** Whether a user is the only owner of an organization who can use it: others may have disabled accounts. */
export const isLastOwner = (reader: Reader, organizationId: string, userId: string): Promise<boolean> =>
  isOnlyOwner(reader, { organizationId, userId });
