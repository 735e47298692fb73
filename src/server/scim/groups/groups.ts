import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../audit/audit.ts';
import { timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { addToGroup, isGroupOfFirst, removeFromGroup } from '../../organizations/groups/groups.ts';
import {
  applyProvisionedRoles,
  findProvisioningDirectory,
  rolesDependOn,
} from '../../sso/provisioning/directory.ts';
import { requireRoom } from '../../quotas/quotas.ts';
import { rowBytes } from '../../quotas/usage.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import type { ScimCall, ScimDependencies } from '../dependencies.ts';
import { badRequest, resourceNotFound } from '../protocol/errors.ts';
import type { Resource } from '../resources/values.ts';
import { changedMeanwhile, isManaged } from '../users/users.ts';
import { selectPeople } from '../users/store.ts';
import type { MemberChange } from './members.ts';
import {
  deleteGroup,
  deleteGroupMembers,
  findIdByName,
  insertGroupMembers,
  selectGroupsById,
  selectMembersOf,
  selectPresent,
  upsertGroup,
  type GroupRow,
} from './store.ts';

/** What Entra ID allows. */
const maxNameLength = 256;
/** What makes one name look like another: control, direction and zero-width characters. Persian and emoji need the two joiners. */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The name of a group, without its members. */
export interface GroupNames {
  readonly displayName: string;
  readonly externalId: string | undefined;
}

/** Returns the names in the attributes of a group. Throws `invalidValue`. */
export function readGroupNames(attributes: Readonly<Resource>): GroupNames {
  const { displayName: sent, externalId } = attributes;
  const displayName = typeof sent === 'string' ? sent.trim() : '';
  if (displayName === '') throw badRequest('invalidValue', 'displayName is missing.');
  if (displayName.length > maxNameLength || hidden.test(displayName))
    throw badRequest(
      'invalidValue',
      `displayName must have at most ${maxNameLength} characters, and no control characters or invisible ones.`,
    );
  const id = typeof externalId === 'string' && externalId !== '' ? externalId : undefined;
  if (!isGroupOfFirst(id ?? displayName))
    throw badRequest('invalidValue', 'A group can’t have this name or external ID.');
  return { displayName, externalId: id };
}

const toAttributes = ({ displayName, externalId }: GroupRow): Resource => ({
  displayName,
  ...(externalId !== null && { externalId }),
});

/** Returns a group. Throws 404. */
export async function getGroup(reader: Reader, organizationId: string, id: string): Promise<GroupRow> {
  const [group] = await selectGroupsById(reader, organizationId, [id]);
  if (group === undefined) throw resourceNotFound();
  return group;
}

/** Creates a group with members. Throws `uniqueness` and `invalidValue`. */
export function createGroup(
  { database, clock }: ScimDependencies,
  { organizationId, actor }: ScimCall,
  names: GroupNames,
  change: MemberChange,
): Promise<GroupRow> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const at = timestamp(clock());
    const group = { id: newId(), version: 1, createdAt: at, updatedAt: at };
    const stored = await store(transaction, organizationId, group, names);
    const members = await changeMembers({ transaction, clock, organizationId }, stored, change);
    const details = { groupId: stored.id, name: stored.displayName, after: namesOf(stored), ...members };
    const entry = { organizationId, action: 'provisioning.group_saved', actor, details } as const;
    await recordAudit(transaction, clock, entry);
    return stored;
  });
}

/** Changes the names and members of a group. Throws 404, 412 and what `change` throws. */
export function changeGroup(
  { database, clock }: ScimDependencies,
  { organizationId, actor }: ScimCall,
  id: string,
  {
    isExpected,
    change,
  }: {
    readonly isExpected: (version: number) => boolean;
    readonly change: (attributes: Resource) => {
      readonly attributes: Resource;
      readonly members: MemberChange;
    };
  },
): Promise<GroupRow> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const before = await getGroup(transaction, organizationId, id);
    if (!isExpected(before.version)) throw changedMeanwhile();
    const { attributes, members } = change(toAttributes(before));
    const names = readGroupNames(attributes);
    const next = { ...before, version: before.version + 1, updatedAt: timestamp(clock()) };
    const stored = await store(transaction, organizationId, next, names);
    const context = { transaction, clock, organizationId };
    if (stored.name !== before.name) await renameForMembers(context, before, stored.name);
    const { added, removed } = await changeMembers(context, stored, members);
    if (added.length + removed.length > 0 || !isDeepStrictEqual(namesOf(before), namesOf(stored))) {
      const details = {
        groupId: id,
        name: stored.displayName,
        before: namesOf(before),
        after: namesOf(stored),
        added,
        removed,
      };
      const entry = { organizationId, action: 'provisioning.group_saved', actor, details } as const;
      await recordAudit(transaction, clock, entry);
    }
    return stored;
  });
}

/** Deletes a group: what it granted ends at once. Throws 404 and 412. */
export async function removeGroup(
  { database, clock }: ScimDependencies,
  { organizationId, actor }: ScimCall,
  id: string,
  isExpected: (version: number) => boolean,
): Promise<void> {
  await database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const group = await getGroup(transaction, organizationId, id);
    if (!isExpected(group.version)) throw changedMeanwhile();
    const nobody = { isReplaced: true, added: new Set<string>(), removed: new Set<string>() };
    const { removed } = await changeMembers({ transaction, clock, organizationId }, group, nobody);
    await deleteGroup(transaction, id);
    const details = { groupId: id, name: group.displayName, before: namesOf(group), removed };
    const entry = { organizationId, action: 'provisioning.group_deleted', actor, details } as const;
    await recordAudit(transaction, clock, entry);
  });
}

async function store(
  transaction: Transaction,
  organizationId: string,
  group: Pick<GroupRow, 'id' | 'version' | 'createdAt' | 'updatedAt'>,
  { displayName, externalId }: GroupNames,
): Promise<GroupRow> {
  const name = externalId ?? displayName;
  const other = await findIdByName(transaction, { organizationId, value: name });
  if (other !== undefined && other !== group.id)
    throw badRequest(
      'uniqueness',
      'There is already a group with this external ID or, without one, this name.',
    );
  const stored = { ...group, name, displayName, externalId: externalId ?? null };
  if (group.version === 1) await requireRoomFor(transaction, organizationId, 1);
  await upsertGroup(transaction, { ...stored, organizationId, at: stored.updatedAt });
  return stored;
}

interface Context extends Pick<ScimDependencies, 'clock'> {
  readonly transaction: Transaction;
  readonly organizationId: string;
}

async function renameForMembers(
  context: Context,
  { id, name: before }: GroupRow,
  after: string,
): Promise<void> {
  const { transaction, organizationId } = context;
  const userIds = (await selectMembersOf(transaction, [id])).map((member) => member.id);
  await removeFromGroup(transaction, { organizationId, group: before, userIds });
  await addToGroup(transaction, { organizationId, group: after, userIds });
  await updateRoles(context, userIds, [before, after]);
}

const namesOf = ({ displayName, externalId }: GroupRow) => ({ displayName, externalId });

const requireRoomFor = (transaction: Transaction, organizationId: string, count: number): Promise<void> =>
  requireRoom(transaction, { kind: 'organization', organizationId }, { records: 0, bytes: count * rowBytes });

/** Returns the IDs of the people that were added and removed. */
async function changeMembers(
  context: Context,
  { id: groupId, name: group }: GroupRow,
  { isReplaced, added, removed }: MemberChange,
): Promise<{ readonly added: readonly string[]; readonly removed: readonly string[] }> {
  const { transaction, organizationId } = context;
  const named = [...added.union(removed)];
  const present = new Set(
    isReplaced
      ? (await selectMembersOf(transaction, [groupId])).map(({ id }) => id)
      : await selectPresent(transaction, { groupId, userIds: named }),
  );
  const joining = [...added.difference(present)];
  const leaving = [...(isReplaced ? present.difference(added) : removed.intersection(present))];
  await requirePeople(transaction, organizationId, joining);
  if (joining.length > 0) {
    // Ending access never depends on how much is stored, also if others get it with the same request.
    if (leaving.length === 0) await requireRoomFor(transaction, organizationId, joining.length);
    await insertGroupMembers(transaction, { groupId, userIds: joining });
    await addToGroup(transaction, { organizationId, group, userIds: joining });
  }
  if (leaving.length > 0) {
    await deleteGroupMembers(transaction, { groupId, userIds: leaving });
    await removeFromGroup(transaction, { organizationId, group, userIds: leaving });
  }
  await updateRoles(context, [...joining, ...leaving], [group]);
  return { added: joining, removed: leaving };
}

/** Throws `invalidValue` if one of these is not a person that SCIM manages or may manage. */
async function requirePeople(reader: Reader, organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const directory = await findProvisioningDirectory(reader, organizationId);
  const rows = await selectPeople(reader, organizationId, ids);
  const known = new Set(rows.filter((row) => isManaged(row, directory)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw badRequest('invalidValue', `There is no person with the ID ${unknown}.`);
}

/**
 * Gives people the roles of the mappings, if these name one of the changed groups. Those who are suspended get theirs when they are
 * activated.
 */
async function updateRoles(
  { transaction, clock, organizationId }: Context,
  userIds: readonly string[],
  changedGroups: readonly string[],
): Promise<void> {
  const directory = await findProvisioningDirectory(transaction, organizationId);
  if (directory === undefined || userIds.length === 0) return;
  if (!(await rolesDependOn(transaction, directory.configuration, changedGroups))) return;
  const rows = await selectPeople(transaction, organizationId, userIds);
  const members = rows.flatMap(({ id, role }) => (role === null ? [] : [{ userId: id, current: role }]));
  await applyProvisionedRoles(transaction, clock, directory.configuration, members);
}
