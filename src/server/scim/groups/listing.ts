import { keyOfOrganization } from '../../base/tenant.ts';
import type { Reader } from '../../storage/database.ts';
import { badRequest } from '../protocol/errors.ts';
import { attributesOf, findEqualities, matches, type CheckedFilter } from '../protocol/filter.ts';
import { findInChunks, type Listed, type Range } from '../protocol/listing.ts';
import { idsIn } from './members.ts';
import {
  findIdByName,
  selectGroupIds,
  selectGroupIdsOfUser,
  selectGroupsById,
  selectFirstMembers,
  selectIdsByDisplayName,
  selectMembersOf,
  type GroupRow,
} from './store.ts';

export interface GroupMember {
  readonly id: string;
  readonly name: string;
}

/** A group with its members, unless they were not asked for. */
export interface ScimGroup extends GroupRow {
  readonly members: readonly GroupMember[] | undefined;
}

/** How many members a page of groups can have, unless its first group has more. */
const maxMembersPerPage = 5_000;

/** Returns the first of some groups with all their members: as many groups as fit in a page, but at least one. */
export async function withMembers(reader: Reader, groups: readonly GroupRow[]): Promise<ScimGroup[]> {
  const ids = groups.map(({ id }) => id);
  const rows = await selectFirstMembers(reader, { ids, limit: maxMembersPerPage + 1 });
  if (rows.length <= maxMembersPerPage) return join(groups, rows);
  // The last group that was read is cut off.
  const fitting = groups.slice(0, ids.indexOf(rows.at(-1)?.groupId ?? ''));
  if (fitting.length > 0) return join(fitting, rows);
  return join(groups.slice(0, 1), await selectMembersOf(reader, ids.slice(0, 1)));
}

function join(
  groups: readonly GroupRow[],
  rows: readonly (GroupMember & { readonly groupId: string })[],
): ScimGroup[] {
  const byGroup = Map.groupBy(rows, ({ groupId }) => groupId);
  return groups.map((group) => ({ ...group, members: byGroup.get(group.id) ?? [] }));
}

export const withoutMembers = (group: GroupRow): ScimGroup => ({ ...group, members: undefined });

/** Lists the groups of an organization, by ID. */
export async function listScimGroups(
  reader: Reader,
  organizationId: string,
  {
    filter,
    range,
    hasMembers,
  }: {
    readonly filter: CheckedFilter | undefined;
    readonly range: Range;
    readonly hasMembers: boolean;
  },
  toResource: (group: ScimGroup) => object,
): Promise<Listed<ScimGroup>> {
  const named = await findGroupsOf(
    reader,
    organizationId,
    filter === undefined ? [] : membersNamedIn(filter),
  );
  // A filter only tells whether people are in a group, so the others are not read.
  const read = async (ids: readonly string[]): Promise<ScimGroup[]> =>
    (await selectGroupsById(reader, organizationId, ids)).map((group) => ({
      ...group,
      members: named.filter(({ groupIds }) => groupIds.has(group.id)),
    }));
  const found = filter && (await lookUp(reader, organizationId, filter));
  const ids = found ?? (await selectGroupIds(reader, organizationId));
  const isMatch = filter && ((group: ScimGroup) => matches(filter, toResource(group)));
  const { total, items } = await findInChunks(keyOfOrganization(organizationId), ids, range, read, isMatch);
  return { total, items: hasMembers ? await withMembers(reader, items) : items.map(withoutMembers) };
}

/** Returns the people that a filter compares members with. Throws `invalidFilter` for other comparisons of members. */
function membersNamedIn(filter: CheckedFilter): string[] {
  if ('filters' in filter) return filter.filters.flatMap(membersNamedIn);
  if ('filter' in filter) return membersNamedIn(filter.filter);
  if (!attributesOf(filter).includes('members')) return [];
  if (filter.op === '[]') return idsIn(filter.valFilter, cannotCompare);
  const isOfValue = /(^|:)members(\.value)?$/i.test(filter.attrPath);
  if (filter.op === 'eq' && isOfValue && typeof filter.compValue === 'string') return [filter.compValue];
  throw cannotCompare();
}

const cannotCompare = () =>
  badRequest('invalidFilter', 'Members can only be found by their value: members.value eq "…".');

const findGroupsOf = (
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<(GroupMember & { groupIds: ReadonlySet<string> })[]> =>
  Promise.all(
    [...new Set(ids)].map(async (id) => {
      const groupIds = await selectGroupIdsOfUser(reader, { organizationId, value: id });
      return { id, name: '', groupIds: new Set(groupIds) };
    }),
  );

/** Returns the IDs among which all matches of a filter are, found by an index; undefined if all groups have to be tried. */
async function lookUp(
  reader: Reader,
  organizationId: string,
  filter: CheckedFilter,
): Promise<string[] | undefined> {
  for (const { path, value } of findEqualities(filter)) {
    switch (path.replace('urn:ietf:params:scim:schemas:core:2.0:group:', '')) {
      case 'id':
        return [value];
      case 'displayname':
        return selectIdsByDisplayName(reader, { organizationId, value });
      case 'externalid': {
        const id = await findIdByName(reader, { organizationId, value });
        return id === undefined ? [] : [id];
      }
      case 'members':
      case 'members.value':
        return selectGroupIdsOfUser(reader, { organizationId, value });
      default:
    }
  }
  return undefined;
}
