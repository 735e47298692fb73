import { sql as raw } from 'kysely';
import type { Role } from '#shared/permissions.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface Key {
  readonly organizationId: string;
  readonly userId: string;
}

/** A person of an organization, with what SCIM stored about the person, which is null before the first change by SCIM. */
export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Null if the person is suspended. */
  readonly role: Role | null;
  readonly suspendedRole: Role | null;
  readonly memberSince: string | null;
  /** The organization whose directory manages the account; null if no directory does. */
  readonly managedBy: string | null;
  /** 1 if the person has signed in through the first directory, 0 if only through others of the organization, and null if never. */
  readonly isOfFirst: number | null;
  /** In lower case. */
  readonly userName: string | null;
  readonly externalId: string | null;
  readonly active: number | null;
  readonly attributes: string | null;
  readonly version: number | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

const isOfFirst = (organizationId: string) => raw<number | null>`(
  select max(case when sso_configurations.is_first = 1 then 1 else 0 end)
  from sso_identities left join sso_configurations on sso_configurations.id = sso_identities.configuration_id
  where sso_identities.user_id = users.id and sso_identities.organization_id = ${organizationId}
)`;

const byIds = prepare((sql, p: { organizationId: string; ids: readonly string[] }) =>
  sql
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.organization_id', '=', p.organizationId),
    )
    .leftJoin('suspended_members', (join) =>
      join
        .onRef('suspended_members.user_id', '=', 'users.id')
        .on('suspended_members.organization_id', '=', p.organizationId),
    )
    .leftJoin('scim_users', (join) =>
      join
        .onRef('scim_users.user_id', '=', 'users.id')
        .on('scim_users.organization_id', '=', p.organizationId),
    )
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.organization_id as managedBy',
      isOfFirst(p.organizationId).as('isOfFirst'),
      'scim_users.user_name as userName',
      'members.role',
      'suspended_members.role as suspendedRole',
      'members.created_at as memberSince',
      'scim_users.external_id as externalId',
      'scim_users.active',
      'scim_users.attributes',
      'scim_users.version',
      'scim_users.created_at as createdAt',
      'scim_users.updated_at as updatedAt',
    ])
    .where('users.id', 'in', p.ids)
    .where('users.is_service_account', '=', 0)
    .where(({ or, eb }) =>
      or([eb('members.user_id', 'is not', null), eb('suspended_members.user_id', 'is not', null)]),
    )
    .orderBy('users.id'),
);

/** Returns those of some people who are members of the organization, suspended or not. */
export const selectPeople = async (
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<PersonRow[]> =>
  // Sound because the columns only ever hold roles of the contract.
  (await reader.all(byIds, { organizationId, ids })) as PersonRow[];

const visible = prepare((sql, p: { organizationId: string; configurationId: string }) =>
  sql
    .selectFrom((from) =>
      from
        .selectFrom('members')
        .select('members.user_id')
        .where('members.organization_id', '=', p.organizationId)
        .unionAll(
          from
            .selectFrom('suspended_members')
            .select('suspended_members.user_id')
            .where('suspended_members.organization_id', '=', p.organizationId),
        )
        .as('people'),
    )
    .innerJoin('users', 'users.id', 'people.user_id')
    .select('users.id')
    .where('users.is_service_account', '=', 0)
    .where(({ and, or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('scim_users')
            .select('scim_users.user_id')
            .whereRef('scim_users.user_id', '=', 'users.id')
            .where('scim_users.organization_id', '=', p.organizationId),
        ),
        and([
          exists(
            selectFrom('sso_domains')
              .select('sso_domains.domain')
              .where('sso_domains.configuration_id', '=', p.configurationId)
              .where(({ eb, ref, val }) =>
                eb('users.email', 'like', eb(val('%@'), '||', ref('sso_domains.domain'))),
              ),
          ),
          raw<boolean>`coalesce(${isOfFirst(p.organizationId)}, 1) = 1`,
        ]),
      ]),
    )
    .orderBy('users.id'),
);

/** Returns the IDs of the people that SCIM manages or may manage, since the address is in a verified domain of the directory. */
export const selectVisibleIds = async (
  reader: Reader,
  of: { readonly organizationId: string; readonly configurationId: string },
): Promise<string[]> => (await reader.all(visible, of)).map(({ id }) => id);

interface Lookup {
  readonly organizationId: string;
  readonly value: string;
}

const byUserName = prepare((sql, p: Lookup) =>
  sql
    .selectFrom('scim_users')
    .select('user_id as id')
    .where('organization_id', '=', p.organizationId)
    .where('user_name', '=', p.value),
);

const byExternalId = prepare((sql, p: Lookup) =>
  sql
    .selectFrom('scim_users')
    .select('user_id as id')
    .where('organization_id', '=', p.organizationId)
    .where('external_id', '=', p.value)
    .limit(100),
);

const portion = prepare((sql, p: { organizationId: string; after: string; limit: number }) =>
  sql
    .selectFrom('scim_users')
    .select(['user_id as id', 'attributes'])
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
);

/** Returns the attributes of up to `limit` people that SCIM stored, after a person by ID. */
export const selectAttributes = (
  reader: Reader,
  of: { readonly organizationId: string; readonly after: string; readonly limit: number },
): Promise<{ id: string; attributes: string }[]> => reader.all(portion, of);

/** Returns the person with a user name in lower case, or undefined. */
export const findIdByUserName = async (reader: Reader, lookup: Lookup): Promise<string | undefined> =>
  (await reader.first(byUserName, lookup))?.id;

export const selectIdsByExternalId = async (reader: Reader, lookup: Lookup): Promise<string[]> =>
  (await reader.all(byExternalId, lookup)).map(({ id }) => id);

interface StoredUser extends Key {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: number;
  readonly attributes: string;
  readonly version: number;
  readonly at: string;
}

const upsert = prepare((sql, p: StoredUser) => {
  const replaced = {
    user_name: p.userName,
    external_id: p.externalId,
    active: p.active,
    attributes: p.attributes,
    version: p.version,
    updated_at: p.at,
  };
  return sql
    .insertInto('scim_users')
    .values({ ...replaced, organization_id: p.organizationId, user_id: p.userId, created_at: p.at })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(replaced));
});

export const upsertScimUser = (transaction: Transaction, user: StoredUser): Promise<number> =>
  transaction.run(upsert, user);

const deactivated = prepare((sql, p: Partial<Key>) => {
  let rows = sql
    .selectFrom('scim_users')
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'scim_users.organization_id')
        .onRef('members.user_id', '=', 'scim_users.user_id'),
    )
    .select(['scim_users.organization_id as organizationId', 'scim_users.user_id as userId'])
    .where('scim_users.active', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('members as others')
          .innerJoin('users', 'users.id', 'others.user_id')
          .select('others.user_id')
          .where('users.disabled_at', 'is', null)
          .whereRef('others.organization_id', '=', 'scim_users.organization_id')
          .whereRef('others.user_id', '<>', 'scim_users.user_id')
          .where('others.role', '=', 'owner'),
      ),
    );
  if (p.organizationId !== undefined) rows = rows.where('scim_users.organization_id', '=', p.organizationId);
  if (p.userId !== undefined) rows = rows.where('scim_users.user_id', '=', p.userId);
  return rows;
});

/** Returns the people that a directory has deactivated and that are members although their organization has another owner. */
export const selectDeactivatedMembers = (reader: Reader): Promise<Key[]> => reader.all(deactivated, {});

export const isDeactivatedMember = async (reader: Reader, key: Key): Promise<boolean> =>
  (await reader.first(deactivated, { ...key })) !== undefined;
