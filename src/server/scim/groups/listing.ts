import type { Reader } from '../../storage/database.ts';
import { attributesOf, findEqualities, matches, type CheckedFilter } from '../protocol/filter.ts';
import { findInChunks, type Listed, type Range } from '../protocol/listing.ts';
import {
  findIdByName,
  selectGroupIds,
  selectGroupIdsOfUser,
  selectGroupsById,
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

/** Returns groups with their members, read at once. */
export async function withMembers(reader: Reader, groups: readonly GroupRow[]): Promise<ScimGroup[]> {
  const rows = await selectMembersOf(
    reader,
    groups.map(({ id }) => id),
  );
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
  const isByMembers = filter !== undefined && attributesOf(filter).includes('members');
  const read = async (ids: readonly string[]): Promise<ScimGroup[]> => {
    const groups = await selectGroupsById(reader, organizationId, ids);
    return hasMembers || isByMembers ? withMembers(reader, groups) : groups.map(withoutMembers);
  };
  const found = filter && (await lookUp(reader, organizationId, filter));
  const ids = found ?? (await selectGroupIds(reader, organizationId));
  const isMatch = filter && ((group: ScimGroup) => matches(filter, toResource(group)));
  return findInChunks(ids, range, read, isMatch);
}

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
