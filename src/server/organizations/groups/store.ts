import { sql } from 'kysely';
import type { DirectoryGroup } from '#contract/organizations/groups.ts';
import { type FirstRows, mapRows, type PageRequest } from '../../base/paging.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { groupName } from './names.ts';
import { jsonRows, prepare } from '../../storage/prepared-query.ts';

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

const ofMember = prepare((db, p: MemberKey) =>
  db
    .selectFrom('member_groups')
    .select('group_id as groupId')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId)
    .orderBy('group_id'),
);

/** Returns the groups of a member, sorted. */
export async function selectGroupsOfMember(reader: Reader, member: MemberKey): Promise<string[]> {
  return (await reader.all(ofMember, member)).map(({ groupId }) => groupId);
}

const held = prepare(
  (db, p: { organizationId: string; userIds: readonly string[]; groupIds: readonly string[] }) =>
    db
      .selectFrom('member_groups')
      .select(['user_id as userId', 'group_id as groupId'])
      .where('organization_id', '=', p.organizationId)
      .where('user_id', 'in', p.userIds)
      .where('group_id', 'in', p.groupIds),
);

/** Returns the memberships of the given members in the given groups. */
export const selectGroupsHeld = (
  reader: Reader,
  of: {
    readonly organizationId: string;
    readonly userIds: readonly string[];
    readonly groupIds: readonly string[];
  },
): Promise<{ userId: string; groupId: string }[]> => reader.all(held, of);

const nameOfGroup = groupName('member_groups.organization_id', 'member_groups.group_id');

const namedOfMember = prepare((db, p: MemberKey) =>
  db
    .selectFrom('member_groups')
    .select(['group_id as groupId', nameOfGroup.as('name')])
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

/** Returns the names of the groups of a member, by their IDs. */
export async function selectGroupNamesOfMember(
  reader: Reader,
  member: MemberKey,
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.all(namedOfMember, member);
  return new Map(rows.map(({ groupId, name }) => [groupId, name]));
}

const removeSome = prepare((db, p: MemberKey & { groupIds: readonly string[] }) =>
  db
    .deleteFrom('member_groups')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId)
    .where('group_id', 'in', p.groupIds),
);

export const deleteGroups = (
  transaction: Transaction,
  member: MemberKey,
  groupIds: readonly string[],
): Promise<number> => {
  transaction.announce(member.userId);
  return transaction.run(removeSome, { ...member, groupIds });
};

const insert = prepare((db, p: { rows: readonly Record<'o' | 'u' | 'g', string>[] }, engine) =>
  db
    .insertInto('member_groups')
    .columns(['organization_id', 'user_id', 'group_id'])
    .expression((from) =>
      from.selectFrom(jsonRows(engine, p.rows, ['o', 'u', 'g']).as('added')).select(['o', 'u', 'g']),
    ),
);

export const insertGroups = (
  transaction: Transaction,
  { organizationId: o, userId: u }: MemberKey,
  groupIds: readonly string[],
): Promise<number> => transaction.run(insert, { rows: groupIds.map((g) => ({ o, u, g })) });

interface GroupOfMembers {
  readonly organizationId: string;
  readonly group: string;
  readonly userIds: readonly string[];
}

const insertOne = prepare((db, p: GroupOfMembers) =>
  db
    .insertInto('member_groups')
    .columns(['organization_id', 'user_id', 'group_id'])
    .expression((from) =>
      from
        .selectFrom('members')
        .select(({ cast, val }) => [
          'members.organization_id',
          'members.user_id',
          cast<string>(val(p.group), 'text').as('group_id'),
        ])
        .where('members.organization_id', '=', p.organizationId)
        .where('members.user_id', 'in', p.userIds),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Adds a group to those of these people who are members. */
export const insertGroupFor = (transaction: Transaction, of: GroupOfMembers): Promise<number> => {
  transaction.announce(of.organizationId);
  return transaction.run(insertOne, of);
};

const removeOne = prepare((db, p: GroupOfMembers) =>
  db
    .deleteFrom('member_groups')
    .where('organization_id', '=', p.organizationId)
    .where('group_id', '=', p.group)
    .where('user_id', 'in', p.userIds),
);

export const deleteGroupFrom = (transaction: Transaction, of: GroupOfMembers): Promise<number> => {
  transaction.announce(of.organizationId);
  return transaction.run(removeOne, of);
};

const removeOfMember = prepare((db, p: MemberKey) =>
  db
    .deleteFrom('member_groups')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

export const deleteGroupsOfMember = (
  transaction: Transaction,
  { organizationId, userId }: MemberKey,
): Promise<number> => transaction.run(removeOfMember, { organizationId, userId });

/** A group of another directory than the first: the ID of its configuration, a colon, and its name. */
const qualifiedPattern = '________-____-____-____-____________:%';

const removeOfFirst = prepare((db, p: { organizationId: string }) =>
  db
    .deleteFrom('member_groups')
    .where('organization_id', '=', p.organizationId)
    .where('group_id', 'not like', qualifiedPattern),
);

const removeOfOther = prepare((db, p: { organizationId: string; pattern: string }) =>
  db
    .deleteFrom('member_groups')
    .where('organization_id', '=', p.organizationId)
    .where('group_id', 'like', p.pattern),
);

/** Deletes the groups that start with a prefix; with an empty one, those of the first directory. */
export const deleteGroupsOfConfiguration = (
  transaction: Transaction,
  organizationId: string,
  prefix: string,
): Promise<number> => {
  transaction.announce(organizationId);
  return prefix === ''
    ? transaction.run(removeOfFirst, { organizationId })
    : transaction.run(removeOfOther, { organizationId, pattern: `${prefix}%` });
};

interface SearchParameters {
  organizationId: string;
  after: string;
  limit: number;
  /** A pattern for `like`, in lower case. */
  pattern: string | undefined;
}

const list = prepare((db, p: SearchParameters) => {
  let groups = db
    .selectFrom('member_groups')
    .select(({ fn }) => [
      'group_id as groupId',
      nameOfGroup.as('name'),
      fn.countAll<number | string>().as('memberCount'),
    ])
    .where('organization_id', '=', p.organizationId)
    .where('group_id', '>', p.after)
    .groupBy(['organization_id', 'group_id'])
    .orderBy('group_id')
    .limit(p.limit);
  if (p.pattern !== undefined) {
    groups = groups.where(
      sql<boolean>`(lower(group_id) like ${p.pattern} escape '!' or lower(${nameOfGroup}) like ${p.pattern} escape '!')`,
    );
  }
  return groups;
});

/** Returns the groups of the members of an organization in a page. */
export async function selectGroups(
  reader: Reader,
  { organizationId, q }: { organizationId: string; q?: string },
  page: PageRequest,
): Promise<FirstRows<DirectoryGroup>> {
  const pattern = q === undefined ? undefined : `%${q.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
  const range = { after: page.after ?? '', limit: page.limit };
  const rows = await reader.page(list, { organizationId, pattern, ...range });
  return mapRows(rows, (row) => ({ ...row, memberCount: Number(row.memberCount) }));
}
