import type { AccessInput, RecordAccess } from '#contract/sharing.ts';
import type { Fault } from '#contract/problem.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError, invalidFaults } from '../base/errors.ts';
import { lockOrganization } from '../organizations/authorization.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import type { Sharable, Share, SharedRecord } from './sharable.ts';
import {
  deleteShare,
  deleteSharesOfRecord,
  putShare,
  selectSharedMembers,
  selectShares,
  updateRestricted,
  type SharedKey,
} from './store.ts';

/** Returns the members that a record is shared with. Requires permission to edit it. */
export async function getAccess(
  reader: Reader,
  actor: Actor,
  sharable: Sharable,
  id: string,
): Promise<RecordAccess> {
  const { isRestricted, organizationId } = await sharable.require(reader, actor, id, 'edit');
  const members =
    organizationId === undefined ? [] : await selectSharedMembers(reader, { recordId: id, organizationId });
  return { restricted: isRestricted, members };
}

/** Replaces the members that a record is shared with, and its restriction. Throws `personal_dashboard`. */
export function setAccess<Shared extends SharedRecord>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  sharable: Sharable<Shared>,
  { id, access }: { id: string; access: AccessInput },
): Promise<RecordAccess> {
  const { kind } = sharable;
  return database.write(async (transaction) => {
    const { record, organizationId } = await requireShared(transaction, actor, sharable, id);
    const key = { kind, id, organizationId };
    const before = await selectShares(transaction, id);
    const after = access.members
      .map(({ userId, access: granted }) => ({ userId, access: granted }))
      .toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
    await requireMembers(transaction, organizationId, { before, members: access.members });
    const isChanged = await storeShares(transaction, key, { before, after });
    const isRestrictionChanged = access.restricted !== record.isRestricted;
    if (isRestrictionChanged) {
      await updateRestricted(transaction, key, access.restricted);
      await sharable.onRestricted(transaction, record);
    }
    if (isChanged || isRestrictionChanged) {
      await sharable.recordChange(transaction, clock, actor, {
        action: 'access_changed',
        record,
        details: {
          before: { restricted: record.isRestricted, members: before },
          after: { restricted: access.restricted, members: after },
        },
      });
    }
    const members = await selectSharedMembers(transaction, { recordId: id, organizationId });
    return { restricted: access.restricted, members };
  });
}

/**
 * Returns a record of an organization that the actor may manage. It locks the organization, so that no member is removed in
 * the meantime. Access is checked before the lock, too, so that only people with access can take it. Throws
 * `personal_dashboard`.
 */
export async function requireShared<Shared extends SharedRecord>(
  transaction: Transaction,
  actor: Actor,
  sharable: Pick<Sharable<Shared>, 'require' | 'requireToChange'>,
  id: string,
): Promise<{ record: Shared; organizationId: string }> {
  const { organizationId } = await sharable.require(transaction, actor, id, 'manage');
  if (organizationId === undefined) {
    throw new AtriumError(
      'personal_dashboard',
      'This dashboard is personal. Copy it to an organization to share it with its members.',
    );
  }
  await lockOrganization(transaction, organizationId);
  return { record: await sharable.requireToChange(transaction, actor, id, 'manage'), organizationId };
}

/** The fault of a user who isn't a member. It doesn't reveal whether the user exists. */
export const notMember = { code: 'member', message: 'must be the ID of a member of the organization' };

/** Throws `invalid_body` for each user that is listed twice or isn't a member; users in `before` are known to be members. */
async function requireMembers(
  transaction: Transaction,
  organizationId: string,
  { before, members }: { before: readonly Share[]; members: readonly Share[] },
): Promise<void> {
  const known = new Set(before.map(({ userId }) => userId));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, { userId }] of members.entries()) {
    const pointer = `/members/${index}/userId`;
    if (seen.has(userId)) {
      faults.push({ pointer, code: 'unique', message: 'must not be listed more than once' });
    } else if (!known.has(userId) && (await findRoleOf(transaction, organizationId, userId)) === undefined) {
      faults.push({ pointer, ...notMember });
    }
    seen.add(userId);
  }
  if (faults.length > 0) throw invalidFaults(faults);
}

/** Ends the shares of a record that is being deleted permanently. */
export async function endSharing(transaction: Transaction, recordId: string): Promise<void> {
  await deleteSharesOfRecord(transaction, recordId);
}

/** Stores the members that a record is shared with, and returns whether they changed. */
async function storeShares(
  transaction: Transaction,
  record: SharedKey,
  { before, after }: { before: readonly Share[]; after: readonly Share[] },
): Promise<boolean> {
  const [old, current] = [new Map(before.map(toEntry)), new Map(after.map(toEntry))];
  const ended = before.filter(({ userId }) => !current.has(userId));
  const changed = after.filter(({ userId, access }) => old.get(userId) !== access);
  for (const { userId } of ended) await deleteShare(transaction, record.id, userId);
  for (const share of changed) await putShare(transaction, record, share);
  return ended.length > 0 || changed.length > 0;
}

const toEntry = ({ userId, access }: Share): [string, Share['access']] => [userId, access];
