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
  /** Null if the person has never signed in through a directory of the organization. */
  readonly identityOf: string | null;
  /** In lower case. */
  readonly userName: string | null;
  readonly externalId: string | null;
  readonly active: number | null;
  readonly attributes: string | null;
  readonly version: number | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

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
    .select(({ selectFrom }) => [
      'users.id',
      'users.email',
      'users.name',
      'users.organization_id as managedBy',
      selectFrom('sso_identities')
        .select(({ fn }) => fn.min('sso_identities.user_id').as('first'))
        .whereRef('sso_identities.user_id', '=', 'users.id')
        .where('sso_identities.organization_id', '=', p.organizationId)
        .as('identityOf'),
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
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('scim_users')
            .select('scim_users.user_id')
            .whereRef('scim_users.user_id', '=', 'users.id')
            .where('scim_users.organization_id', '=', p.organizationId),
        ),
        exists(
          selectFrom('sso_domains')
            .select('sso_domains.domain')
            .where('sso_domains.configuration_id', '=', p.configurationId)
            .where(({ eb, ref, val }) =>
              eb('users.email', 'like', eb(val('%@'), '||', ref('sso_domains.domain'))),
            ),
        ),
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

const byText = prepare((sql, p: { organizationId: string; pattern: string }) =>
  sql
    .selectFrom('scim_users')
    .select('user_id as id')
    .where('organization_id', '=', p.organizationId)
    .where(({ eb, fn }) => eb(fn('lower', ['attributes']), 'like', p.pattern))
    .limit(100),
);

/**
 * Returns people whose attributes may contain a text, in lower case: the caller checks them. Letters that SQLite doesn't fold match any.
 */
export const selectIdsByText = async (
  reader: Reader,
  { organizationId, value }: Lookup,
): Promise<string[]> => {
  const pattern = `%${JSON.stringify(value.toLowerCase()).replaceAll(/[%_\\]|[^\x20-\x7e]/gu, '_')}%`;
  return (await reader.all(byText, { organizationId, pattern })).map(({ id }) => id);
};

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
