import type { AccessInput, RecordAccess } from '#contract/records/sharing.ts';
import type { Fault } from '#contract/problem.ts';
import type { ShareLevel } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidFaults } from '../base/errors.ts';
import { lockOrganization } from '../organizations/authorization.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import type { Grantee, Sharable, Share, SharedRecord } from './sharable.ts';
import {
  deleteShare,
  deleteSharesOfRecord,
  putShare,
  selectSharedGroups,
  selectSharedMembers,
  selectShares,
  updateRestricted,
  type SharedKey,
} from './store.ts';

/** Returns whom a record is shared with. Requires permission to edit it. */
export async function getAccess(
  reader: Reader,
  actor: Actor,
  sharable: Sharable,
  id: string,
): Promise<RecordAccess> {
  const { isRestricted, organizationId } = await sharable.require(reader, actor, id, 'edit');
  if (organizationId === undefined) return { restricted: isRestricted, members: [], groups: [] };
  return readAccess(reader, { id, organizationId }, isRestricted);
}

async function readAccess(
  reader: Reader,
  { id, organizationId }: { id: string; organizationId: string },
  restricted: boolean,
): Promise<RecordAccess> {
  const members = await selectSharedMembers(reader, { recordId: id, organizationId });
  return { restricted, members, groups: await selectSharedGroups(reader, id) };
}

/**
 * Replaces the members and groups that a record is shared with, and its restriction. Input without `groups` doesn't change the
 * groups. Throws `personal_dashboard`.
 */
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
    const faults = [
      ...(sharable.findFaults?.(record, access) ?? []),
      ...(await findMemberFaults(transaction, organizationId, { before, members: access.members })),
      ...findGroupFaults(access.groups ?? []),
    ];
    if (faults.length > 0) throw invalidFaults(faults);
    const after = toShares(access, before);
    const given = { at: timestamp(clock()), by: actor.userId };
    const isChanged = await storeShares(transaction, key, { before, after, given });
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
          before: { restricted: record.isRestricted, ...byKind(before) },
          after: { restricted: access.restricted, ...byKind(after) },
        },
      });
    }
    return readAccess(transaction, key, access.restricted);
  });
}

/** Returns the shares of an input, sorted like stored ones. */
function toShares({ members, groups }: AccessInput, before: readonly Share[]): Share[] {
  const toShare =
    (kind: Grantee['kind']) =>
    ({ id, access }: { id: string; access: ShareLevel }): Share => ({ grantee: { kind, id }, access });
  const ofGroups =
    groups
      ?.map(({ groupId: id, access }) => ({ id, access }))
      .toSorted(byId)
      .map(toShare('group')) ?? before.filter(({ grantee }) => grantee.kind === 'group');
  const ofUsers = members.map(({ userId: id, access }) => ({ id, access })).toSorted(byId);
  return [...ofGroups, ...ofUsers.map(toShare('user'))];
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1;

/** Returns shares as the audit log shows them. */
const byKind = (shares: readonly Share[]) => ({
  members: shares
    .filter(({ grantee }) => grantee.kind === 'user')
    .map(({ grantee, access }) => ({ userId: grantee.id, access })),
  groups: shares
    .filter(({ grantee }) => grantee.kind === 'group')
    .map(({ grantee, access }) => ({ groupId: grantee.id, access })),
});

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
  if (organizationId === undefined) throw personalRefused();
  await lockOrganization(transaction, organizationId);
  return { record: await sharable.requireToChange(transaction, actor, id, 'manage'), organizationId };
}

/** The refusal to share a record that belongs to no organization. */
export const personalRefused = (): AtriumError =>
  new AtriumError(
    'personal_dashboard',
    'This dashboard is personal. Copy it to an organization to share it with its members.',
  );

/** The fault of a user who isn't a member. It doesn't reveal whether the user exists. */
export const notMember = { code: 'member', message: 'must be the ID of a member of the organization' };

const notUnique = { code: 'unique', message: 'must not be listed more than once' };

/** Returns a fault for each group that is listed twice. Groups that no member has are allowed: people may have them later. */
function findGroupFaults(groups: NonNullable<AccessInput['groups']>): Fault[] {
  const ids = groups.map(({ groupId }) => groupId);
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) faults.push({ pointer: `/groups/${index}/groupId`, ...notUnique });
    seen.add(id);
  }
  return faults;
}

/** Returns a fault for each user that is listed twice or isn't a member; users in `before` are known to be members. */
async function findMemberFaults(
  transaction: Transaction,
  organizationId: string,
  { before, members }: { before: readonly Share[]; members: AccessInput['members'] },
): Promise<Fault[]> {
  const known = new Set(before.flatMap(({ grantee }) => (grantee.kind === 'user' ? grantee.id : [])));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, { userId }] of members.entries()) {
    const pointer = `/members/${index}/userId`;
    if (seen.has(userId)) {
      faults.push({ pointer, ...notUnique });
    } else if (!known.has(userId) && (await findRoleOf(transaction, organizationId, userId)) === undefined) {
      faults.push({ pointer, ...notMember });
    }
    seen.add(userId);
  }
  return faults;
}

/** Returns whether a record is shared with anyone. */
export const isShared = async (reader: Reader, recordId: string): Promise<boolean> =>
  (await selectShares(reader, recordId)).length > 0;

/** Restricts a record that was unrestricted. The caller has checked the permission to share it. */
export const restrictRecord = (
  transaction: Transaction,
  record: Pick<SharedKey, 'kind' | 'id'>,
): Promise<number> => updateRestricted(transaction, record, true);

/** Ends the shares of a record that is being deleted permanently. */
export async function endSharing(transaction: Transaction, recordId: string): Promise<void> {
  await deleteSharesOfRecord(transaction, recordId);
}

/** Stores the shares of a record, and returns whether they changed. */
async function storeShares(
  transaction: Transaction,
  record: SharedKey,
  {
    before,
    after,
    given,
  }: {
    before: readonly Share[];
    after: readonly Share[];
    given: { readonly at: string; readonly by: string };
  },
): Promise<boolean> {
  const [old, current] = [new Map(before.map(toEntry)), new Map(after.map(toEntry))];
  const ended = before.filter(({ grantee }) => !current.has(keyOf(grantee)));
  const changed = after.filter(({ grantee, access }) => old.get(keyOf(grantee)) !== access);
  for (const { grantee } of ended) await deleteShare(transaction, record.id, grantee);
  for (const share of changed) await putShare(transaction, record, share, given);
  return ended.length > 0 || changed.length > 0;
}

const keyOf = ({ kind, id }: Grantee): string => `${kind} ${id}`;
const toEntry = ({ grantee, access }: Share): [string, Share['access']] => [keyOf(grantee), access];
