import type { Reader, Transaction } from '../../storage/database.ts';
import { jsonRows, prepare } from '../../storage/prepared-query.ts';

/** A group that a directory has provisioned. */
export interface GroupRow {
  readonly id: string;
  /** The name by which shares and role mappings know it. */
  readonly name: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const byIds = prepare((sql, p: { organizationId: string; ids: readonly string[] }) =>
  sql
    .selectFrom('scim_groups')
    .select([
      'id',
      'name',
      'display_name as displayName',
      'external_id as externalId',
      'version',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('organization_id', '=', p.organizationId)
    .where('id', 'in', p.ids)
    .orderBy('id'),
);

export const selectGroupsById = (
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<GroupRow[]> => reader.all(byIds, { organizationId, ids });

interface Lookup {
  readonly organizationId: string;
  readonly value: string;
}

const all = prepare((sql, p: { organizationId: string }) =>
  sql.selectFrom('scim_groups').select('id').where('organization_id', '=', p.organizationId).orderBy('id'),
);

const byDisplayName = prepare((sql, p: Lookup) =>
  sql
    .selectFrom('scim_groups')
    .select('id')
    .where('organization_id', '=', p.organizationId)
    .where('display_key', '=', p.value)
    .orderBy('id'),
);

const byName = prepare((sql, p: Lookup) =>
  sql
    .selectFrom('scim_groups')
    .select('id')
    .where('organization_id', '=', p.organizationId)
    .where('name', '=', p.value),
);

export const selectGroupIds = async (reader: Reader, organizationId: string): Promise<string[]> =>
  (await reader.all(all, { organizationId })).map(({ id }) => id);

export const selectIdsByDisplayName = async (reader: Reader, lookup: Lookup): Promise<string[]> =>
  (await reader.all(byDisplayName, { ...lookup, value: lookup.value.toLowerCase() })).map(({ id }) => id);

/** Returns the group with a name by which shares know it. A group with an external ID has that as its name. */
export const findIdByName = async (reader: Reader, lookup: Lookup): Promise<string | undefined> =>
  (await reader.first(byName, lookup))?.id;

interface StoredGroup extends Omit<GroupRow, 'updatedAt'> {
  readonly organizationId: string;
  readonly at: string;
}

const upsert = prepare((sql, p: StoredGroup & { displayKey: string }) => {
  const replaced = {
    name: p.name,
    display_name: p.displayName,
    display_key: p.displayKey,
    external_id: p.externalId,
    version: p.version,
    updated_at: p.at,
  };
  return sql
    .insertInto('scim_groups')
    .values({ ...replaced, id: p.id, organization_id: p.organizationId, created_at: p.createdAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(replaced));
});

export const upsertGroup = (transaction: Transaction, group: StoredGroup): Promise<number> =>
  transaction.run(upsert, { ...group, displayKey: group.displayName.toLowerCase() });

const remove = prepare((sql, p: { id: string }) => sql.deleteFrom('scim_groups').where('id', '=', p.id));
const removeAllMembers = prepare((sql, p: { id: string }) =>
  sql.deleteFrom('scim_group_members').where('group_id', '=', p.id),
);

export async function deleteGroup(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(removeAllMembers, { id });
  await transaction.run(remove, { id });
}

const membersOf = prepare((sql, p: { ids: readonly string[] }) =>
  sql
    .selectFrom('scim_group_members')
    .innerJoin('users', 'users.id', 'scim_group_members.user_id')
    .select(['scim_group_members.group_id as groupId', 'users.id', 'users.name'])
    .where('scim_group_members.group_id', 'in', p.ids)
    .orderBy('users.id'),
);

const firstMembers = prepare((sql, p: { ids: readonly string[]; limit: number }) =>
  sql
    .selectFrom((from) =>
      from
        .selectFrom('scim_group_members')
        .select(['group_id as groupId', 'user_id'])
        .where('group_id', 'in', p.ids)
        .orderBy('group_id')
        .orderBy('user_id')
        .limit(p.limit)
        .as('found'),
    )
    .innerJoin('users', 'users.id', 'found.user_id')
    .select(['found.groupId', 'users.id', 'users.name'])
    .orderBy('found.groupId')
    .orderBy('users.id'),
);

/** Returns a limited number of the people in some groups, by group. */
export const selectFirstMembers = (
  reader: Reader,
  of: { readonly ids: readonly string[]; readonly limit: number },
): Promise<{ groupId: string; id: string; name: string }[]> => reader.all(firstMembers, of);

/** Returns the people in some groups. */
export const selectMembersOf = (
  reader: Reader,
  ids: readonly string[],
): Promise<{ groupId: string; id: string; name: string }[]> => reader.all(membersOf, { ids });

const ofUser = prepare((sql, p: Lookup) =>
  sql
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
    .select('scim_groups.id')
    .where('scim_group_members.user_id', '=', p.value)
    .where('scim_groups.organization_id', '=', p.organizationId)
    .orderBy('scim_groups.id'),
);

/** Returns the IDs of the groups that a person is in. */
export const selectGroupIdsOfUser = async (reader: Reader, lookup: Lookup): Promise<string[]> =>
  (await reader.all(ofUser, lookup)).map(({ id }) => id);

const some = prepare((sql, p: { groupId: string; userIds: readonly string[] }) =>
  sql
    .selectFrom('scim_group_members')
    .select('user_id as id')
    .where('group_id', '=', p.groupId)
    .where('user_id', 'in', p.userIds),
);

/** Returns those of some people who are in a group. */
export const selectPresent = async (
  reader: Reader,
  of: { readonly groupId: string; readonly userIds: readonly string[] },
): Promise<string[]> => (await reader.all(some, of)).map(({ id }) => id);

interface Membership {
  readonly groupId: string;
  readonly userIds: readonly string[];
}

const insertMembers = prepare((sql, p: { rows: readonly Record<'g' | 'u', string>[] }, engine) =>
  sql
    .insertInto('scim_group_members')
    .columns(['group_id', 'user_id'])
    .expression((from) =>
      from.selectFrom(jsonRows(engine, p.rows, ['g', 'u']).as('added')).select(['g', 'u']),
    ),
);

export const insertGroupMembers = (
  transaction: Transaction,
  { groupId: g, userIds }: Membership,
): Promise<number> => transaction.run(insertMembers, { rows: userIds.map((u) => ({ g, u })) });

const removeMembers = prepare((sql, p: Membership) =>
  sql.deleteFrom('scim_group_members').where('group_id', '=', p.groupId).where('user_id', 'in', p.userIds),
);

export const deleteGroupMembers = (transaction: Transaction, of: Membership): Promise<number> =>
  transaction.run(removeMembers, of);
