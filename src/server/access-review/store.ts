import { sql } from 'kysely';
import type { FirstRows } from '../base/paging.ts';
import { recordTables, type SharedKind } from '../access/kinds.ts';
import { groupName } from '../organizations/groups/names.ts';
import type { Reader } from '../storage/database.ts';
import { prepare, type PreparedQuery, type Sql } from '../storage/prepared-query.ts';

/** Which grants to read: of an organization, at most `limit` that follow `after` in the order of their keys. */
export interface GrantSelection {
  readonly organizationId: string;
  readonly userId: string | undefined;
  readonly objectKind: string | undefined;
  readonly objectId: string | undefined;
  /** Tokens and links that end at this time are left out. */
  readonly now: string;
  /** The parts of the key of the last grant; empty texts for the first ones. */
  readonly after: readonly [string, string, string];
  readonly limit: number;
}

/** Parameters of queries, which are bound by name. */
type Parameters = Omit<GrantSelection, 'after'> & Record<'after1' | 'after2' | 'after3', string>;

/** A row of any of the lists. Each list leaves out what its grants don't have. */
export interface GrantRow {
  readonly userId?: string | null;
  readonly userName?: string | null;
  readonly email?: string | null;
  readonly isServiceAccount?: number | null;
  readonly groupId?: string | null;
  /** To show. */
  readonly groupName?: string;
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly scopes?: string;
  readonly linkId?: string;
  readonly linkName?: string;
  readonly objectKind?: string;
  readonly objectId: string;
  readonly objectName: string | null;
  readonly access?: string;
  readonly isByDirectory?: number;
  readonly since?: string | null;
  readonly granterId?: string | null;
  readonly granterName?: string | null;
  readonly lastSeenAt?: string | null;
  readonly expiresAt?: string | null;
  readonly createdAt?: string;
  readonly maxDays?: number;
}

type GrantQuery = PreparedQuery<Parameters, GrantRow>;

const personColumns = [
  'users.id as userId',
  'users.name as userName',
  'users.email',
  'users.is_service_account as isServiceAccount',
] as const;

const nameOfGroup = groupName('shares.organization_id', 'shares.grantee_id');

const granterColumns = ['granter.id as granterId', 'granter.name as granterName'] as const;

/**
 * Whether the mappings of a directory gave the role: at the last sign-in through it or, before the first one, when it provisioned the
 * account. Provisioning makes nobody an owner.
 */
const isByDirectory = sql<number>`case when exists (
  select 1 from sso_identities
  where sso_identities.user_id = members.user_id and sso_identities.organization_id = members.organization_id
    and sso_identities.role = members.role
) or (
  users.organization_id = members.organization_id and members.role_by is null and members.role <> 'owner'
  and exists (
    select 1 from scim_users
    inner join sso_policies on sso_policies.organization_id = scim_users.organization_id
    -- The first directory is the one that provisions.
    where sso_policies.configuration_id = '' and sso_policies.role_mappings <> '[]'
      and scim_users.user_id = members.user_id and scim_users.organization_id = members.organization_id
  )
  and not exists (
    select 1 from sso_identities
    where sso_identities.user_id = members.user_id and sso_identities.organization_id = members.organization_id
  )
) then 1 else 0 end`;

const roles: GrantQuery = prepare((db, p: Parameters) => {
  let rows = db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('users as granter', 'granter.id', 'members.role_by')
    .select([...personColumns, ...granterColumns])
    .select([
      'organizations.id as objectId',
      'organizations.name as objectName',
      'members.role as access',
      isByDirectory.as('isByDirectory'),
      'members.last_seen_at as lastSeenAt',
      sql<string>`coalesce(members.role_at, members.created_at)`.as('since'),
    ])
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '>', p.after1)
    .orderBy('members.user_id')
    .limit(p.limit);
  if (p.userId !== undefined) rows = rows.where('members.user_id', '=', p.userId);
  if (p.objectId !== undefined) rows = rows.where('members.organization_id', '=', p.objectId);
  return rows;
});

/** The name of the record of a share, or null if it is in the trash. The ids of records of different kinds are different, too. */
const sharedName = sql<string | null>`coalesce(
  case when dashboards.deleted_at is null then dashboards.name end,
  case when reports.deleted_at is null then reports.name end,
  case when folders.deleted_at is null then folders.name end,
  case when data_sources.deleted_at is null then data_sources.name end
)`;

/** Selects the shares of records that are not in the trash. */
const selectShares = (db: Sql, p: Parameters) => {
  let rows = db
    .selectFrom('shares')
    .leftJoin('dashboards', 'dashboards.id', 'shares.record_id')
    .leftJoin('reports', 'reports.id', 'shares.record_id')
    .leftJoin('folders', 'folders.id', 'shares.record_id')
    .leftJoin('data_sources', 'data_sources.id', 'shares.record_id')
    .leftJoin('users as granter', 'granter.id', 'shares.created_by')
    .select(granterColumns)
    .select([
      'shares.record_kind as objectKind',
      'shares.record_id as objectId',
      sharedName.as('objectName'),
      'shares.access',
      'shares.created_at as since',
    ])
    .where('shares.organization_id', '=', p.organizationId)
    .where(sharedName, 'is not', null)
    .limit(p.limit);
  if (p.objectKind !== undefined) rows = rows.where('shares.record_kind', '=', p.objectKind);
  if (p.objectId !== undefined) rows = rows.where('shares.record_id', '=', p.objectId);
  return rows;
};

const shares: GrantQuery = prepare((db, p: Parameters) => {
  const rows = selectShares(db, p)
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'shares.grantee_id').on('shares.grantee_kind', '=', sql.lit('user')),
    )
    .leftJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'users.id')
        .onRef('members.organization_id', '=', 'shares.organization_id'),
    )
    // A person who is suspended has no access.
    .where(({ or, eb }) =>
      or([eb('shares.grantee_kind', '=', sql.lit('group')), eb('members.user_id', 'is not', null)]),
    )
    .select(personColumns)
    .select([
      'members.last_seen_at as lastSeenAt',
      sql<string | null>`case when shares.grantee_kind = 'group' then shares.grantee_id end`.as('groupId'),
      nameOfGroup.as('groupName'),
    ])
    .where(
      sql<boolean>`(shares.record_id, shares.grantee_kind, shares.grantee_id) > (${p.after1}, ${p.after2}, ${p.after3})`,
    )
    .orderBy('shares.record_id')
    .orderBy('shares.grantee_kind')
    .orderBy('shares.grantee_id');
  if (p.userId === undefined) return rows;
  return rows.where('shares.grantee_kind', '=', 'user').where('shares.grantee_id', '=', p.userId);
});

/** The members that a share with a group gives access to. */
const groups: GrantQuery = prepare((db, p: Parameters) => {
  const rows = selectShares(db, p)
    .innerJoin('member_groups', (join) =>
      join
        .onRef('member_groups.group_id', '=', 'shares.grantee_id')
        .onRef('member_groups.organization_id', '=', 'shares.organization_id'),
    )
    .innerJoin('users', 'users.id', 'member_groups.user_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'member_groups.user_id')
        .onRef('members.organization_id', '=', 'shares.organization_id'),
    )
    .select(personColumns)
    .select([
      'members.last_seen_at as lastSeenAt',
      'member_groups.group_id as groupId',
      nameOfGroup.as('groupName'),
    ])
    .where('shares.grantee_kind', '=', 'group')
    .where(
      sql<boolean>`(shares.record_id, member_groups.user_id, shares.grantee_id) > (${p.after1}, ${p.after2}, ${p.after3})`,
    )
    .orderBy('shares.record_id')
    .orderBy('member_groups.user_id')
    .orderBy('shares.grantee_id');
  return p.userId === undefined ? rows : rows.where('member_groups.user_id', '=', p.userId);
});

/** Without access tokens, which end with the credential that they were got by. */
const tokens: GrantQuery = prepare((db, p: Parameters) => {
  let rows = db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'tokens.user_id')
        .onRef('members.organization_id', '=', 'tokens.organization_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'tokens.organization_id')
    .leftJoin('users as granter', 'granter.id', 'tokens.created_by')
    .select([...personColumns, ...granterColumns])
    .select([
      'organizations.id as objectId',
      'organizations.name as objectName',
      'organizations.max_token_days as maxDays',
      'members.role as access',
      'tokens.id as tokenId',
      'tokens.name as tokenName',
      'tokens.scopes',
      'tokens.created_at as since',
      'tokens.created_at as createdAt',
      'tokens.last_used_at as lastSeenAt',
      'tokens.expires_at as expiresAt',
    ])
    .where('tokens.organization_id', '=', p.organizationId)
    .where('tokens.kind', '<>', 'access')
    .where('tokens.expires_at', '>', p.now)
    .where('tokens.id', '>', p.after1)
    .orderBy('tokens.id')
    .limit(p.limit);
  if (p.userId !== undefined) rows = rows.where('tokens.user_id', '=', p.userId);
  if (p.objectId !== undefined) rows = rows.where('tokens.organization_id', '=', p.objectId);
  return rows;
});

const links: GrantQuery = prepare((db, p: Parameters) => {
  let rows = db
    .selectFrom('display_links')
    .innerJoin('dashboards', 'dashboards.id', 'display_links.dashboard_id')
    // A link shows what its creator may see: nothing while the person is suspended or the account is disabled.
    .innerJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'display_links.created_by')
        .onRef('members.organization_id', '=', 'display_links.organization_id'),
    )
    .innerJoin('users as granter', (join) =>
      join.onRef('granter.id', '=', 'display_links.created_by').on('granter.disabled_at', 'is', null),
    )
    .select(granterColumns)
    .select([
      'display_links.id as linkId',
      'display_links.name as linkName',
      'dashboards.id as objectId',
      'dashboards.name as objectName',
      'display_links.created_at as since',
      'display_links.last_used_at as lastSeenAt',
      'display_links.expires_at as expiresAt',
    ])
    .where('display_links.organization_id', '=', p.organizationId)
    .where('dashboards.deleted_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('display_links.expires_at', 'is', null), eb('display_links.expires_at', '>', p.now)]),
    )
    .where('display_links.id', '>', p.after1)
    .orderBy('display_links.id')
    .limit(p.limit);
  if (p.userId !== undefined) rows = rows.where('display_links.created_by', '=', p.userId);
  if (p.objectId !== undefined) rows = rows.where('dashboards.id', '=', p.objectId);
  return rows;
});

const ownersOf = (kind: SharedKind): GrantQuery =>
  prepare((db, p: Parameters) => {
    let rows = db
      // Sound because all of these tables have the columns that this query uses.
      .selectFrom(`${recordTables[kind] as 'dashboards'} as records`)
      .innerJoin('users', 'users.id', 'records.user_id')
      // An owner who left has no access.
      .innerJoin('members', (join) =>
        join
          .onRef('members.user_id', '=', 'records.user_id')
          .onRef('members.organization_id', '=', 'records.organization_id'),
      )
      .select(personColumns)
      .select([
        'records.id as objectId',
        'records.name as objectName',
        'members.role as access',
        'members.last_seen_at as lastSeenAt',
      ])
      .where('records.organization_id', '=', p.organizationId)
      .where('records.deleted_at', 'is', null)
      .where('records.id', '>', p.after1)
      .orderBy('records.id')
      .limit(p.limit);
    if (p.userId !== undefined) rows = rows.where('records.user_id', '=', p.userId);
    if (p.objectId !== undefined) rows = rows.where('records.id', '=', p.objectId);
    return rows;
  });

/** The lists that a review consists of, in its order. */
const queries = {
  role: roles,
  share: shares,
  group: groups,
  token: tokens,
  link: links,
  'owner-folder': ownersOf('folder'),
  'owner-dashboard': ownersOf('dashboard'),
  'owner-report': ownersOf('report'),
  'owner-data_source': ownersOf('data_source'),
} as const satisfies Readonly<Record<string, GrantQuery>>;

export type GrantList = keyof typeof queries;

/** Sound because they are the keys of a constant. */
export const grantLists = Object.keys(queries) as GrantList[];

/** Returns the first rows of a list in the order of their keys. */
export const selectGrants = (
  reader: Reader,
  list: GrantList,
  { after: [after1, after2, after3], ...selection }: GrantSelection,
  maxBytes: number,
): Promise<FirstRows<GrantRow> & { readonly sizeBytes: number }> =>
  reader.page(queries[list], { ...selection, after1, after2, after3 }, maxBytes);
