import { sql } from 'kysely';
import type { Member } from '#contract/organizations/members.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import type { User } from '#contract/accounts/sessions.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { hasSecondFactorOf } from './second-factors/requirement.ts';
import { prepare, prepareRemembered } from '../storage/prepared-query.ts';
import { exceptDeleted, requireNotDeleted } from './deleted.ts';

/** Sound because `members.role` only ever holds a role of the contract. */
const toMember = ({
  role,
  isEmailVerified,
  isServiceAccount,
  ...row
}: {
  userId: string;
  email: string;
  name: string;
  role: string;
  createdAt: string;
  isEmailVerified: number;
  isServiceAccount: number;
}): Member => ({
  ...row,
  ...(isEmailVerified === 0 && { emailVerified: false }),
  role: role as Role,
  ...(isServiceAccount === 1 && { isServiceAccount: true }),
});

export interface Membership {
  readonly role: Role;
  /** Whether members can use the organization only in sessions obtained through its directory. */
  readonly requireSso: boolean;
}

interface MemberKey {
  organizationId: string;
  userId: string;
}

const membership = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['members.role', 'organizations.require_sso as requireSso'])
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '=', p.userId),
);

/** Returns the membership of a user, or undefined if the user is not a member or the organization does not exist. */
export async function findMembership(
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  const row = await reader.first(membership, { organizationId, userId });
  return row && { role: row.role as Role, requireSso: row.requireSso === 1 };
}

const columns = [
  'members.user_id as userId',
  'users.email',
  'users.name',
  'members.role',
  'members.created_at as createdAt',
  'users.is_email_verified as isEmailVerified',
  'users.is_service_account as isServiceAccount',
] as const;

/** A role, when it was given, and the user who gave it, or null if a directory did. */
interface GivenRole {
  readonly role: Role;
  readonly at: string;
  readonly by: string | null;
}

const insert = prepare((sql, p: MemberKey & GivenRole) =>
  sql
    .insertInto('members')
    .values({
      organization_id: p.organizationId,
      user_id: p.userId,
      role: p.role,
      created_at: p.at,
      role_at: p.at,
      role_by: p.by,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing()),
);

const one = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(columns)
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '=', p.userId),
);

/**
 * Returns whether the member was added: false if the user is already a member. Throws `not_found` if the organization was
 * deleted. The caller has locked the organization.
 */
export async function insertMember(
  transaction: Transaction,
  member: MemberKey & GivenRole,
): Promise<boolean> {
  await requireNotDeleted(transaction, member.organizationId);
  return (await transaction.run(insert, member)) === 1;
}

const updateRole = prepare((sql, p: MemberKey & GivenRole) =>
  sql
    .updateTable('members')
    .set({ role: p.role, role_at: p.at, role_by: p.by })
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

export const updateMemberRole = (
  transaction: Transaction,
  member: MemberKey & GivenRole,
): Promise<number> => {
  transaction.announce(member.userId);
  return transaction.run(updateRole, member);
};

const remove = prepare((sql, p: MemberKey) =>
  sql.deleteFrom('members').where('organization_id', '=', p.organizationId).where('user_id', '=', p.userId),
);

export const deleteMember = (
  transaction: Transaction,
  organizationId: string,
  userId: string,
): Promise<number> => {
  transaction.announce(userId);
  return transaction.run(remove, { organizationId, userId });
};

const setDirectorySignIn = prepare((sql, p: MemberKey & { at: string | null }) =>
  sql
    .updateTable('members')
    .set({ directory_sign_in_at: p.at })
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

export const updateDirectorySignIn = (
  transaction: Transaction,
  input: MemberKey & { at: string | null },
): Promise<number> => transaction.run(setDirectorySignIn, input);

interface OfConfiguration {
  readonly organizationId: string;
  readonly configurationId: string;
}

/** All but those who have an identity only of another configuration. */
const clearSignIns = prepare((db, p: OfConfiguration) =>
  db
    .updateTable('members')
    .set({ directory_sign_in_at: null })
    .where('organization_id', '=', p.organizationId)
    .where('directory_sign_in_at', 'is not', null)
    .where(({ or, not, exists, selectFrom }) => {
      const identity = selectFrom('sso_identities')
        .select(sql.lit(1).as('one'))
        .whereRef('sso_identities.user_id', '=', 'members.user_id')
        .where('sso_identities.organization_id', '=', p.organizationId);
      return or([
        exists(identity.where('sso_identities.configuration_id', '=', p.configurationId)),
        not(exists(identity.where('sso_identities.configuration_id', '<>', p.configurationId))),
      ]);
    }),
);

export const clearDirectorySignIns = (transaction: Transaction, of: OfConfiguration): Promise<number> =>
  transaction.run(clearSignIns, of);

const owners = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('members')
    .select('user_id as userId')
    .where('organization_id', '=', p.organizationId)
    .where('role', '=', 'owner')
    .limit(2),
);

/** Returns the ids of at most two owners. */
export async function selectOwners(reader: Reader, organizationId: string): Promise<string[]> {
  return (await reader.all(owners, { organizationId })).map(({ userId }) => userId);
}

const usableOwners = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.user_id as userId')
    .where('members.organization_id', '=', p.organizationId)
    .where('members.role', '=', 'owner')
    .where(({ or, eb }) => or([eb('members.user_id', '=', p.userId), eb('users.disabled_at', 'is', null)]))
    .limit(2),
);

/** Whether a user is an owner, and no other owner has an account that is not disabled. */
export async function isOnlyOwner(reader: Reader, member: MemberKey): Promise<boolean> {
  const found = await reader.all(usableOwners, member);
  return found.length === 1 && found[0]?.userId === member.userId;
}

const memberships = prepareRemembered((sql, p: { userId: string }) =>
  sql
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['members.organization_id as organizationId', 'organizations.require_sso as requireSso'])
    .where('members.user_id', '=', p.userId),
);

/** Returns every organization of a user, and whether it requires SSO. */
export async function selectMemberships(
  reader: Reader,
  userId: string,
): Promise<{ organizationId: string; requireSso: boolean }[]> {
  const rows = await reader.all(memberships, { userId });
  return rows.map(({ organizationId, requireSso }) => ({ organizationId, requireSso: requireSso === 1 }));
}

const ssoRequirements = prepare((db, p: { userId: string }) => {
  const of = (table: 'members' | 'suspended_members') => {
    // Otherwise an organization could block the password of everyone who accepts its invitation, or has once signed in through its directory.
    const isOfDomain = sql<boolean>`exists (
      select 1 from sso_domains inner join users on users.email like '%@' || sso_domains.domain
      where users.id = ${sql.ref(`${table}.user_id`)} and sso_domains.organization_id = ${sql.ref(`${table}.organization_id`)}
    )`;
    const requires = sql<number>`case when organizations.require_sso = 1 and ${isOfDomain} then 1 else 0 end`;
    return {
      requires,
      rows: db
        .selectFrom(table)
        .innerJoin('organizations', 'organizations.id', `${table}.organization_id`)
        .select(['organizations.id', requires.as('requireSso')])
        .where(`${table}.user_id`, '=', p.userId)
        .where(exceptDeleted('organizations.id')),
    };
  };
  const suspended = of('suspended_members');
  return of('members').rows.union(suspended.rows.where(suspended.requires, '=', 1));
});

/**
 * Returns one value for each organization of a user: whether it requires SSO of an address in one of its verified domains.
 * Organizations that have suspended the user count only if they do.
 */
export async function selectSsoRequirements(reader: Reader, userId: string): Promise<boolean[]> {
  return (await reader.all(ssoRequirements, { userId })).map(({ requireSso }) => requireSso === 1);
}

export async function findMember(
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const row = await reader.first(one, { organizationId, userId });
  return row && toMember(row);
}

const byEmail = prepare((sql, p: { organizationId: string; email: string }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.user_id as userId')
    .where('members.organization_id', '=', p.organizationId)
    .where('users.email', '=', p.email),
);

/** `email` is in its normalized form. */
export const isMemberByEmail = async (
  reader: Reader,
  organizationId: string,
  email: string,
): Promise<boolean> => (await reader.first(byEmail, { organizationId, email })) !== undefined;

const ownerByEmail = prepare((sql, p: { organizationId: string; email: string }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email', 'users.name'])
    .where('members.organization_id', '=', p.organizationId)
    .where('members.role', '=', 'owner')
    .where('users.email', '=', p.email),
);

/** Returns an owner with an email in its normalized form, or undefined. */
export const findOwner = (reader: Reader, organizationId: string, email: string): Promise<User | undefined> =>
  reader.first(ownerByEmail, { organizationId, email });

const hasPassword = sql<number>`case when users.password_hash is null then 0 else 1 end`;
/** Whether the person has ever signed in through the organization's directory. */
const isInDirectory = sql<number>`case when exists (
  select 1 from sso_identities
  where sso_identities.user_id = members.user_id and sso_identities.organization_id = members.organization_id
) then 1 else 0 end`;

const hasSecondFactor = sql<number>`case when ${hasSecondFactorOf('members.user_id')} then 1 else 0 end`;

const list = prepare((sql, p: { organizationId: string; after: string; limit: number }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      ...columns,
      hasPassword.as('hasPassword'),
      isInDirectory.as('isInDirectory'),
      hasSecondFactor.as('hasSecondFactor'),
    ])
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '>', p.after)
    .orderBy('members.user_id')
    .limit(p.limit),
);

/** Returns the first rows of a page, by user id. */
export async function selectMembers(
  reader: Reader,
  organizationId: string,
  page: PageRequest,
): Promise<FirstRows<Member>> {
  const rows = await reader.page(list, { organizationId, after: page.after ?? '', limit: page.limit });
  return mapRows(
    rows,
    ({ hasPassword: byPassword, isInDirectory: byDirectory, hasSecondFactor: second, ...row }) => ({
      ...toMember(row),
      signInMethods: [
        ...(byDirectory === 1 ? (['directory'] as const) : []),
        ...(byPassword === 1 ? (['password'] as const) : []),
      ],
      ...(byPassword === 1 && { hasSecondFactor: second === 1 }),
    }),
  );
}

/** Some members of an organization: one of them, or those with one of some roles. */
export type MailedMembers = { readonly organizationId: string } & (
  | { readonly userId: string; readonly roles?: undefined }
  | { readonly userId?: undefined; readonly roles: readonly Role[] }
);

const mailAddresses = prepare((sql, p: MailedMembers) => {
  const reachable = sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.organization_id', '=', p.organizationId)
    .where('users.is_service_account', '=', 0)
    // What an organization has isn't sent to an address that nobody has confirmed.
    .where('users.is_email_verified', '=', 1)
    .where('users.disabled_at', 'is', null)
    .orderBy('users.email');
  return p.userId === undefined
    ? reachable.where('members.role', 'in', p.roles)
    : reachable.where('members.user_id', '=', p.userId);
});

export const selectMailAddresses = async (reader: Reader, of: MailedMembers): Promise<string[]> =>
  (await reader.all(mailAddresses, of)).map(({ email }) => email);
