import type { DeletedOrganization, OrganizationContents } from '#contract/organizations/deletion.ts';
import { limitResetTokens, type LimitedClient, type SignInLimits } from '../accounts/sign-in-limits.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor, SessionActor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { tooManyAttempts } from '../base/rate-limit.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import type { Mailer } from '../mail/mailer.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import { applyRole } from '../organizations/members.ts';
import { applySessionLimit } from '../sessions/policy/policy.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { countLimited } from '../storage/limited-counts.ts';
import { createRestoreLinks, type NotifiedOwner } from './mails.ts';
import {
  countContentsOf,
  findRestoreLink,
  insertDeletion,
  lockDeleted,
  lockWholeOrganization,
  purgeStates,
  removeDeletionOf,
  selectDeleted,
  selectDeletedOfOwner,
  selectOwnersOfDeleted,
} from './store.ts';

/** How long owners can restore an organization. */
export const graceDays = 30;

export interface DeletionDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly publicUrl: string;
}

/** Returns how much would be deleted with an organization. Owner. */
export async function countContents(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<OrganizationContents> {
  await requirePermission(reader, actor, organizationId, 'organization.delete');
  return countContentsOf(reader, organizationId);
}

/** A deleted organization, and its owners with the links that restore it. */
export interface Deleted {
  readonly organization: DeletedOrganization;
  readonly owners: readonly NotifiedOwner[];
}

/**
 * Deletes an organization, which owners can restore for 30 days. Owner. Throws `confirmation_required`, and `invalid_body` if
 * `name` is not its name.
 */
export function deleteOrganization(
  { database, clock, publicUrl }: DeletionDependencies,
  actor: Actor,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
): Promise<Deleted> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'organization.delete');
    requireConfirmation(actor, clock);
    await limitDeletions(transaction, clock, organizationId);
    if ((await lockWholeOrganization(transaction, organizationId)) !== name) {
      throw invalidBody({ pointer: '/name', code: 'const', message: 'is not the name of the organization' });
    }
    const deletion = { organizationId, actor, graceMs: daysMs(graceDays) };
    const organization = await markDeleted(transaction, clock, deletion);
    return { organization, owners: await createRestoreLinks(transaction, organizationId, publicUrl) };
  });
}

/**
 * Counts a deletion, so that an owner who deletes and restores an organization can't use up the emails with which the other owners
 * restore it.
 */
async function limitDeletions(transaction: Transaction, clock: Clock, organizationId: string): Promise<void> {
  const windowMs = daysMs(1);
  const key = { key: `organization-deletion ${organizationId}`, limit: 5 };
  const reached = await countLimited(transaction, key, { now: clock(), windowMs });
  if (reached !== undefined) throw tooManyAttempts({ ...reached, windowMs }, 'deletions of the organization');
}

/**
 * Deletes an organization for the operator. If it was deleted before, only the time until which it can be restored changes. Returns
 * undefined if its data is being deleted. Throws `not_found` if there is none.
 */
export function deleteByOperator(
  { database, clock }: Pick<DeletionDependencies, 'database' | 'clock'>,
  { organizationId, graceMs }: { readonly organizationId: string; readonly graceMs: number },
): Promise<DeletedOrganization | undefined> {
  return database.write(async (transaction) => {
    if ((await lockWholeOrganization(transaction, organizationId)) === undefined) throw notFound();
    const before = await lockDeleted(transaction, organizationId);
    if (before !== undefined && before.purging !== purgeStates.notBegun) return undefined;
    if (before !== undefined) await removeDeletionOf(transaction, organizationId);
    return markDeleted(transaction, clock, { organizationId, graceMs });
  });
}

async function markDeleted(
  transaction: Transaction,
  clock: Clock,
  {
    organizationId,
    actor,
    graceMs,
  }: { readonly organizationId: string; readonly actor?: Actor; readonly graceMs: number },
): Promise<DeletedOrganization> {
  const now = clock();
  const endsAt = timestamp(now + graceMs);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'organization.deleted',
    ...(actor && { actor }),
    details: { endsAt },
  });
  await insertDeletion(transaction, {
    organizationId,
    deletedAt: timestamp(now),
    deletedBy: actor?.userId ?? null,
    endsAt,
  });
  const stored = await lockDeleted(transaction, organizationId);
  if (stored === undefined) throw notFound();
  return toDeleted(stored);
}

/** Returns the deleted organizations that the actor was an owner of, and can restore. */
export async function listDeletedOrganizations(
  reader: Reader,
  clock: Clock,
  actor: Actor,
): Promise<DeletedOrganization[]> {
  if (actor.scope !== 'all') return [];
  const found = await selectDeletedOfOwner(reader, actor.userId);
  return found.filter((each) => isRestorable(each, clock)).map(toDeleted);
}

/** Restores an organization that the actor was an owner of. Throws `not_found` for any other, and once its data is being deleted. */
export async function restoreOrganization(
  { database, clock }: Pick<DeletionDependencies, 'database' | 'clock'>,
  actor: SessionActor,
  organizationId: string,
): Promise<void> {
  await database.write(async (transaction) => {
    const mine = await listDeletedOrganizations(transaction, clock, actor);
    if (!mine.some(({ id }) => id === organizationId)) throw notFound();
    const { userId, credential } = actor;
    await restore(transaction, clock, { organizationId, userId, exceptId: credential.id });
  });
}

/** Restores an organization by the link of an owner. Throws `link_not_valid` and `too_many_attempts`. */
export async function restoreByLink(
  { database, clock, signInLimits }: DeletionDependencies & { readonly signInLimits: SignInLimits },
  { token, ...client }: LimitedClient & { readonly token: string },
): Promise<{ organizationId: string; organizationName: string }> {
  await limitResetTokens(signInLimits, client);
  return database.write(async (transaction) => {
    const link = await findRestoreLink(transaction, hashToken(token));
    const restored = link === undefined ? undefined : await restore(transaction, clock, link);
    if (restored !== undefined) return { organizationId: restored.id, organizationName: restored.name };
    throw new AtriumError(
      'link_not_valid',
      'The organization was already restored, its data has been deleted, or you are no longer an owner.',
    );
  });
}

/**
 * Restores an organization for its operator, and makes an account its owner if `ownerId` is given. Returns undefined if it is not deleted,
 * or its data is being deleted. Throws `last_owner` if no owner could sign in.
 */
export const restoreByOperator = (
  { database, clock }: Pick<DeletionDependencies, 'database' | 'clock'>,
  { organizationId, ownerId }: { readonly organizationId: string; readonly ownerId?: string | undefined },
): Promise<DeletedOrganization | undefined> =>
  database.write(async (transaction) => {
    const owners = await selectOwnersOfDeleted(transaction, organizationId);
    const restored = await restore(transaction, clock, { organizationId });
    if (restored === undefined) return undefined;
    if (ownerId !== undefined)
      await applyRole(transaction, clock, { organizationId, userId: ownerId, role: 'owner', by: 'operator' });
    else if (owners.length === 0)
      throw new AtriumError('last_owner', 'The accounts of all its owners were deleted or disabled.');
    return restored;
  });

/** Returns all deleted organizations, for the operator. */
export const listDeletedByOperator = async (reader: Reader): Promise<DeletedOrganization[]> =>
  (await selectDeleted(reader)).map(toDeleted);

async function restore(
  transaction: Transaction,
  clock: Clock,
  {
    userId,
    ...of
  }: { readonly organizationId: string; readonly userId?: string; readonly exceptId?: string },
): Promise<DeletedOrganization | undefined> {
  const { organizationId } = of;
  const found = await lockDeleted(transaction, organizationId);
  if (found === undefined || !isRestorable(found, clock)) return undefined;
  await removeDeletionOf(transaction, organizationId);
  await applySessionLimit(transaction, clock, of);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'organization.restored',
    ...(userId !== undefined && { actor: { userId } }),
  });
  return toDeleted(found);
}

const isRestorable = (
  { endsAt, purging }: { readonly endsAt: string; readonly purging: number },
  clock: Clock,
): boolean => purging === purgeStates.notBegun && endsAt > timestamp(clock());

const toDeleted = ({ id, name, deletedAt, endsAt }: DeletedOrganization): DeletedOrganization => ({
  id,
  name,
  deletedAt,
  endsAt,
});
