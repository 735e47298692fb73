import { maxGroupIdLength, type DirectoryGroup } from '#contract/organizations/groups.ts';
import type { Actor } from '../base/actor.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { requirePermission } from './authorization.ts';
import {
  deleteGroups,
  deleteGroupsOfOrganization,
  insertGroups,
  selectGroups,
  selectGroupsOfMember,
} from './group-store.ts';

/** The most groups that are stored for a member. A directory that sends more grants nothing through the others. */
const maxGroups = 2_000;

/** Whether a text can name a group: not empty, not too long, on one line. */
const isGroupId = (text: string): boolean =>
  text.length > 0 &&
  text.length <= maxGroupIdLength &&
  text.isWellFormed() &&
  // oxlint-disable-next-line no-control-regex
  !/[\u0000-\u001f\u007f]/.test(text);

/** Replaces the groups of a member with those that the directory sent. Texts that can't name a group are left out. */
export async function setGroupsOfMember(
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
  sent: readonly string[],
): Promise<void> {
  const current = new Set(sent.filter(isGroupId).slice(0, maxGroups));
  const before = new Set(await selectGroupsOfMember(transaction, member));
  const ended = [...before.difference(current)];
  const added = [...current.difference(before)];
  if (ended.length > 0) await deleteGroups(transaction, member, ended);
  if (added.length > 0) await insertGroups(transaction, member, added);
}

/** Returns the groups that the directory sent when a member last signed in through it. */
export const listGroupsOfMember = (
  reader: Reader,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<string[]> => selectGroupsOfMember(reader, member);

/** Ends what the groups of all members grant until each has signed in again, since another directory may use the same names. */
export async function endGroupsOfOrganization(
  transaction: Transaction,
  organizationId: string,
): Promise<void> {
  await deleteGroupsOfOrganization(transaction, organizationId);
}

/** Lists the groups that the directory has sent for the members of an organization. Requires the editor role. */
export async function listGroups(
  reader: Reader,
  actor: Actor,
  filter: { organizationId: string; q?: string },
  page: PageRequest,
): Promise<Page<DirectoryGroup>> {
  await requirePermission(reader, actor, filter.organizationId, 'group.list');
  return toPage(await selectGroups(reader, filter, page), page, ({ groupId }) => groupId);
}
