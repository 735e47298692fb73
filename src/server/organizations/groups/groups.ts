import { maxGroupIdLength, type DirectoryGroup } from '#contract/organizations/groups.ts';
import type { Actor } from '../../base/actor.ts';
import { toPage, type Page, type PageRequest } from '../../base/paging.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { requirePermission } from '../authorization.ts';
import {
  deleteGroupFrom,
  deleteGroups,
  deleteGroupsOfConfiguration,
  insertGroupFor,
  insertGroups,
  selectGroups,
  selectGroupNamesOfMember,
  selectGroupsHeld,
  selectGroupsOfMember,
} from './store.ts';

/** The most groups that are stored for a member. A directory that sends more grants nothing through the others. */
const maxGroups = 2_000;

/** Whether a text can name a group: not empty, not too long, on one line. */
const isGroupId = (text: string): boolean =>
  text.length > 0 &&
  text.length <= maxGroupIdLength &&
  text.isWellFormed() &&
  // oxlint-disable-next-line no-control-regex
  !/[\u0000-\u001f\u007f]/.test(text);

/** The directory that sends groups: one of the configurations of an organization. */
export interface GroupSource {
  readonly id: string;
  readonly isFirst: boolean;
}

/**
 * The groups of the first directory have the names that it sends. Those of others are stored after the ID of their configuration
 * and a colon, so that groups with the same name in two directories are not one.
 */
const prefixOf = ({ id, isFirst }: GroupSource): string => (isFirst ? '' : `${id}:`);

/** What could be a group of another directory; `qualifiedPattern` of the store is the same. */
const isQualified = (group: string): boolean =>
  /^[^]{8}-[^]{4}-[^]{4}-[^]{4}-[^]{12}:/u.test(group.slice(0, 2 * 37));

/**
 * Replaces the groups of a member in a directory with those that it sent. Texts that can't name a group are left out, and those
 * of the first directory that look like a group of another one.
 */
export async function setGroupsOfMember(
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
  sent: readonly string[],
  source: GroupSource = { id: '', isFirst: true },
): Promise<void> {
  const prefix = prefixOf(source);
  const isOfSource = (group: string) => (source.isFirst ? !isQualified(group) : group.startsWith(prefix));
  const named = sent.map((group) => `${prefix}${group}`).filter((group) => group !== prefix);
  const current = new Set(named.filter((group) => isGroupId(group) && isOfSource(group)).slice(0, maxGroups));
  const before = new Set((await selectGroupsOfMember(transaction, member)).filter(isOfSource));
  const ended = [...before.difference(current)];
  const added = [...current.difference(before)];
  if (ended.length > 0) await deleteGroups(transaction, member, ended);
  if (added.length > 0) await insertGroups(transaction, member, added);
}

/** Whether a text can name a group of the first directory. */
export const isGroupOfFirst = (text: string): boolean => isGroupId(text) && !isQualified(text);

interface GroupOfMembers {
  readonly organizationId: string;
  /** A group of the first directory. */
  readonly group: string;
  readonly userIds: readonly string[];
}

/** Adds people to a group of the first directory. Those who are not members are left out. */
export async function addToGroup(transaction: Transaction, of: GroupOfMembers): Promise<void> {
  await insertGroupFor(transaction, of);
}

/** Removes people from a group of the first directory. */
export async function removeFromGroup(transaction: Transaction, of: GroupOfMembers): Promise<void> {
  await deleteGroupFrom(transaction, of);
}

/** Returns which of the given groups each member is in, by user ID: the groups that directories sent last or have provisioned. */
export async function listGroupsHeld(
  reader: Reader,
  of: {
    readonly organizationId: string;
    readonly userIds: readonly string[];
    readonly groupIds: readonly string[];
  },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const { userId, groupId } of await selectGroupsHeld(reader, of))
    groups.getOrInsertComputed(userId, () => []).push(groupId);
  return groups;
}

/** Returns all groups of a member with the names to show. */
export const listGroupNamesOfMember = (
  reader: Reader,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<ReadonlyMap<string, string>> => selectGroupNamesOfMember(reader, member);

/**
 * Ends what the groups of a directory grant to all members until each has signed in again, since another directory may use the
 * same names.
 */
export async function endGroupsOfConfiguration(
  transaction: Transaction,
  { organizationId, ...source }: GroupSource & { readonly organizationId: string },
): Promise<void> {
  await deleteGroupsOfConfiguration(transaction, organizationId, prefixOf(source));
}

/** Lists the groups of the members of an organization. Requires the editor role. */
export async function listGroups(
  reader: Reader,
  actor: Actor,
  filter: { organizationId: string; q?: string },
  page: PageRequest,
): Promise<Page<DirectoryGroup>> {
  await requirePermission(reader, actor, filter.organizationId, 'group.list');
  return toPage(await selectGroups(reader, filter, page), ({ groupId }) => groupId);
}
