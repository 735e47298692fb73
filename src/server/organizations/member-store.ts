import type { Member, Role } from '#contract/organizations.ts';
import type { PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface MemberKey {
  organizationId: string;
  userId: string;
}

const role = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('members')
    .select('role')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

const insert = prepare((sql, p: MemberKey & { role: Role; at: string }) =>
  sql
    .insertInto('members')
    .values({ organization_id: p.organizationId, user_id: p.userId, role: p.role, created_at: p.at })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing()),
);

const updateRole = prepare((sql, p: MemberKey & { role: Role }) =>
  sql
    .updateTable('members')
    .set({ role: p.role })
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

const remove = prepare((sql, p: MemberKey) =>
  sql.deleteFrom('members').where('organization_id', '=', p.organizationId).where('user_id', '=', p.userId),
);

const owners = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('members')
    .select('user_id as userId')
    .where('organization_id', '=', p.organizationId)
    .where('role', '=', 'owner')
    .limit(2),
);

const organizationIds = prepare((sql, p: { userId: string }) =>
  sql.selectFrom('members').select('organization_id as organizationId').where('user_id', '=', p.userId),
);

const columns = [
  'members.user_id as userId',
  'users.email',
  'users.name',
  'members.role',
  'members.created_at as createdAt',
] as const;

const one = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(columns)
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '=', p.userId),
);

const byEmail = prepare((sql, p: { organizationId: string; email: string }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.user_id as userId')
    .where('members.organization_id', '=', p.organizationId)
    .where('users.email', '=', p.email),
);

const list = prepare((sql, p: { organizationId: string; after: string; limit: number }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(columns)
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '>', p.after)
    .orderBy('members.user_id')
    .limit(p.limit),
);

/** Sound because `members.role` only ever holds a role of the contract. */
const toMember = (row: {
  userId: string;
  email: string;
  name: string;
  role: string;
  createdAt: string;
}): Member => ({
  ...row,
  role: row.role as Role,
});

/** Returns the role of a user in an organization, or undefined when the user is no member or there is none. */
export async function findRole(
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> {
  const row = await reader.first(role, { organizationId, userId });
  return row && (row.role as Role);
}

/** Returns whether the member was added: false when the user is one already. */
export const insertMember = async (
  transaction: Transaction,
  member: { organizationId: string; userId: string; role: Role; at: string },
): Promise<boolean> => (await transaction.run(insert, member)) === 1;

export const updateMemberRole = (
  transaction: Transaction,
  organizationId: string,
  userId: string,
  newRole: Role,
): Promise<number> => transaction.run(updateRole, { organizationId, userId, role: newRole });

export const deleteMember = (
  transaction: Transaction,
  organizationId: string,
  userId: string,
): Promise<number> => transaction.run(remove, { organizationId, userId });

/** Returns the ids of the owners, two at most: enough to tell whether one is the last. */
export async function selectOwners(reader: Reader, organizationId: string): Promise<string[]> {
  return (await reader.all(owners, { organizationId })).map(({ userId }) => userId);
}

export async function selectOrganizationIds(reader: Reader, userId: string): Promise<string[]> {
  return (await reader.all(organizationIds, { userId })).map(({ organizationId }) => organizationId);
}

export async function findMember(
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const row = await reader.first(one, { organizationId, userId });
  return row && toMember(row);
}

/** `email` is in its normalized form. */
export const isMemberByEmail = async (
  reader: Reader,
  organizationId: string,
  email: string,
): Promise<boolean> => (await reader.first(byEmail, { organizationId, email })) !== undefined;

/** Returns up to one more than the page has, by user id. */
export async function selectMembers(
  reader: Reader,
  organizationId: string,
  page: PageRequest,
): Promise<Member[]> {
  const rows = await reader.all(list, { organizationId, after: page.after ?? '', limit: page.limit + 1 });
  return rows.map(toMember);
}
