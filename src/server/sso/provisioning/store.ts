import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

/** A person that a directory provisioned, as far as it matters for signing in. */
export interface ProvisionedRow {
  readonly userId: string;
  readonly externalId: string | null;
  readonly active: number;
  /** The organization whose directory manages the account; null if it has a password of its own. */
  readonly managedBy: string | null;
}

const select = (sql: Sql, organizationId: string) =>
  sql
    .selectFrom('scim_users')
    .innerJoin('users', 'users.id', 'scim_users.user_id')
    .select([
      'scim_users.user_id as userId',
      'scim_users.external_id as externalId',
      'scim_users.active',
      'users.organization_id as managedBy',
    ])
    .where('scim_users.organization_id', '=', organizationId)
    .limit(2);

interface Key {
  readonly organizationId: string;
  readonly value: string;
}

const byExternalId = prepare((sql, p: Key) =>
  select(sql, p.organizationId).where('scim_users.external_id', '=', p.value),
);

const byUserName = prepare((sql, p: Key) =>
  select(sql, p.organizationId).where('scim_users.user_name', '=', p.value),
);

const byUserIds = prepare((sql, p: { organizationId: string; ids: readonly string[] }) =>
  select(sql, p.organizationId).where('scim_users.user_id', 'in', p.ids),
);

/** Return up to two people each: enough to know whether there is only one. */
export const selectByExternalId = (reader: Reader, key: Key): Promise<ProvisionedRow[]> =>
  reader.all(byExternalId, key);
export const selectByUserName = (reader: Reader, key: Key): Promise<ProvisionedRow[]> =>
  reader.all(byUserName, key);
export const selectProvisioned = (
  reader: Reader,
  of: { readonly organizationId: string; readonly ids: readonly string[] },
): Promise<ProvisionedRow[]> => reader.all(byUserIds, of);

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

const deactivated = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('scim_users')
    .select('user_id as userId')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId)
    .where('active', '=', 0),
);

export const isDeactivatedUser = async (reader: Reader, member: MemberKey): Promise<boolean> =>
  (await reader.first(deactivated, member)) !== undefined;

const groups = prepare((sql, p: MemberKey) =>
  sql
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
    .select('scim_groups.name')
    .where('scim_group_members.user_id', '=', p.userId)
    .where('scim_groups.organization_id', '=', p.organizationId)
    .orderBy('scim_groups.name'),
);

/** Returns the names of the groups that SCIM put a person in. */
export const selectProvisionedGroups = async (reader: Reader, member: MemberKey): Promise<string[]> =>
  (await reader.all(groups, member)).map(({ name }) => name);

const known = prepare((sql, p: { configurationId: string; subject: string }) =>
  sql
    .selectFrom('sso_identities')
    .select('user_id as userId')
    .where('configuration_id', '=', p.configurationId)
    .where('subject', '=', p.subject)
    .limit(2),
);

/** Returns the people who have signed in with a subject, of whichever issuer. */
export const selectUsersBySubject = async (
  reader: Reader,
  of: { readonly configurationId: string; readonly subject: string },
): Promise<string[]> => (await reader.all(known, of)).map(({ userId }) => userId);

const candidates = prepare((sql, p: { organizationId: string; ids: readonly string[] }) =>
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
    .leftJoin('sso_identities', (join) =>
      join
        .onRef('sso_identities.user_id', '=', 'users.id')
        .on('sso_identities.organization_id', '=', p.organizationId),
    )
    .select([
      'users.id as userId',
      'sso_identities.configuration_id as configurationId',
      'sso_identities.subject',
    ])
    .where('users.id', 'in', p.ids)
    .where('users.is_service_account', '=', 0)
    .where(({ or, eb }) =>
      or([
        eb('users.organization_id', '=', p.organizationId),
        eb('members.user_id', 'is not', null),
        eb('suspended_members.user_id', 'is not', null),
      ]),
    ),
);

/** Returns those of some accounts that the directory manages or that are members, each with its identities. */
export const selectCandidates = (
  reader: Reader,
  key: { readonly organizationId: string; readonly ids: readonly string[] },
): Promise<{ userId: string; configurationId: string | null; subject: string | null }[]> =>
  reader.all(candidates, key);

const removeUser = prepare((sql, p: MemberKey) =>
  sql
    .deleteFrom('scim_users')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

const removeFromGroups = prepare((sql, p: MemberKey) =>
  sql
    .deleteFrom('scim_group_members')
    .where('user_id', '=', p.userId)
    .where('group_id', 'in', (from) =>
      from.selectFrom('scim_groups').select('id').where('organization_id', '=', p.organizationId),
    ),
);

export async function deleteProvisionedUser(
  transaction: Transaction,
  { organizationId, userId }: MemberKey,
): Promise<void> {
  await transaction.run(removeFromGroups, { organizationId, userId });
  await transaction.run(removeUser, { organizationId, userId });
}

const removeMemberships = prepare((sql, p: { organizationId: string }) =>
  sql
    .deleteFrom('scim_group_members')
    .where('group_id', 'in', (from) =>
      from.selectFrom('scim_groups').select('id').where('organization_id', '=', p.organizationId),
    ),
);
const removeGroups = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('scim_groups').where('organization_id', '=', p.organizationId),
);
const removeActive = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('scim_users').where('organization_id', '=', p.organizationId).where('active', '=', 1),
);

/**
 * Forgets what a directory provisioned that is no longer that of an organization: another one must not sign in to its accounts. People
 * that it deactivated stay so.
 */
export async function forgetProvisioned(transaction: Transaction, organizationId: string): Promise<void> {
  for (const query of [removeMemberships, removeGroups, removeActive])
    await transaction.run(query, { organizationId });
}
