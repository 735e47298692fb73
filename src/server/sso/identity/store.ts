import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import type { ConfigurationKey } from '../configuration/store.ts';

/** Identifies a person at an identity provider: never by email address, which can pass to another person. */
export interface IdentityKey {
  readonly configurationId: string;
  readonly issuer: string;
  /** `oid` of Entra, `sub` of AD FS. */
  readonly subject: string;
}

const byKey = prepare((sql, p: IdentityKey) =>
  sql
    .selectFrom('sso_identities')
    .select('user_id as userId')
    .where('configuration_id', '=', p.configurationId)
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
);

/** Returns the user that an identity belongs to, or undefined. */
export async function findIdentityUser(reader: Reader, key: IdentityKey): Promise<string | undefined> {
  return (await reader.first(byKey, key))?.userId;
}

const ofUser = prepare((sql, p: { configurationId: string; userId: string }) =>
  sql
    .selectFrom('sso_identities')
    .select('subject')
    .where('user_id', '=', p.userId)
    .where('configuration_id', '=', p.configurationId)
    .limit(1),
);

/** Whether a user already has an identity of a configuration. */
export const hasIdentity = async (
  reader: Reader,
  configurationId: string,
  userId: string,
): Promise<boolean> => (await reader.first(ofUser, { configurationId, userId })) !== undefined;

const ofOwners = prepare((sql, p: { configurationId: string; organizationId: string }) =>
  sql
    .selectFrom('sso_identities')
    .innerJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'sso_identities.user_id')
        .onRef('members.organization_id', '=', 'sso_identities.organization_id'),
    )
    .select('sso_identities.issuer')
    .distinct()
    .where('sso_identities.configuration_id', '=', p.configurationId)
    .where('members.organization_id', '=', p.organizationId)
    .where('members.role', '=', 'owner'),
);

/** Returns the issuers at which owners of the organization have signed in through a configuration. */
export const selectIssuersOfOwners = async (
  reader: Reader,
  { organizationId, id: configurationId }: ConfigurationKey,
): Promise<string[]> =>
  (await reader.all(ofOwners, { organizationId, configurationId })).map(({ issuer }) => issuer);

interface NewIdentity extends IdentityKey {
  readonly organizationId: string;
  readonly userId: string;
  readonly at: string;
  /** Whether it continues the account of a former provider. */
  readonly isMoved: boolean;
}

const insert = prepare(
  (sql, p: IdentityKey & { organizationId: string; userId: string; at: string; movedAt: string | null }) =>
    sql.insertInto('sso_identities').values({
      configuration_id: p.configurationId,
      issuer: p.issuer,
      subject: p.subject,
      organization_id: p.organizationId,
      user_id: p.userId,
      created_at: p.at,
      moved_at: p.movedAt,
    }),
);

export const insertIdentity = (
  transaction: Transaction,
  { isMoved, ...identity }: NewIdentity,
): Promise<number> => transaction.run(insert, { ...identity, movedAt: isMoved ? identity.at : null });

interface OtherConfigurations {
  readonly organizationId: string;
  readonly configurationId: string;
  readonly userIds: readonly string[];
}

const otherRoles = prepare((sql, p: OtherConfigurations) =>
  sql
    .selectFrom('sso_identities')
    .innerJoin('sso_configurations', 'sso_configurations.id', 'sso_identities.configuration_id')
    .select([
      'sso_identities.user_id as userId',
      'sso_identities.role',
      'sso_configurations.owner_approved as ownerApproved',
    ])
    .where('sso_identities.user_id', 'in', p.userIds)
    .where('sso_identities.organization_id', '=', p.organizationId)
    .where('sso_identities.configuration_id', '<>', p.configurationId)
    .where('sso_identities.role', 'is not', null)
    .where('sso_configurations.enabled', '=', 1),
);

/** Returns the roles that the mappings of other enabled configurations gave users at the last sign-in through each. */
export const selectRolesOfOthers = (
  reader: Reader,
  of: OtherConfigurations,
): Promise<{ userId: string; role: string | null; ownerApproved: number }[]> => reader.all(otherRoles, of);

const setRole = prepare((sql, p: IdentityKey & { role: string | null }) =>
  sql
    .updateTable('sso_identities')
    .set({ role: p.role })
    .where('configuration_id', '=', p.configurationId)
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
);

/** Stores the role that the mappings of a configuration gave, or that they gave none. */
export const updateRoleOfIdentity = (
  transaction: Transaction,
  key: IdentityKey,
  role: string | undefined,
): Promise<number> => transaction.run(setRole, { ...key, role: role ?? null });

interface RoleOfUsers {
  readonly configurationId: string;
  readonly userIds: readonly string[];
  readonly role: string;
}

const setRoleOfUsers = prepare((sql, p: RoleOfUsers) =>
  sql
    .updateTable('sso_identities')
    .set({ role: p.role })
    .where('configuration_id', '=', p.configurationId)
    .where('user_id', 'in', p.userIds),
);

/** Stores the role that the mappings of a configuration give to users outside of a sign-in. */
export const updateRoleOfUsers = (transaction: Transaction, of: RoleOfUsers): Promise<number> =>
  transaction.run(setRoleOfUsers, of);

const clearRoles = prepare((sql, p: { configurationId: string }) =>
  sql
    .updateTable('sso_identities')
    .set({ role: null })
    .where('configuration_id', '=', p.configurationId)
    .where('role', 'is not', null),
);

const clearRolesOfMember = prepare((sql, p: { organizationId: string; userId: string }) =>
  sql
    .updateTable('sso_identities')
    .set({ role: null })
    .where('user_id', '=', p.userId)
    .where('organization_id', '=', p.organizationId)
    .where('role', 'is not', null),
);

/** Forgets which roles a former member had, so that a new membership doesn't start with them. */
export const forgetRolesOfMember = (
  transaction: Transaction,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<number> => transaction.run(clearRolesOfMember, { organizationId, userId });

/** Forgets which roles a configuration gave, so that sign-ins through others no longer preserve them. */
export const forgetRoles = (
  transaction: Transaction,
  { id: configurationId }: Pick<ConfigurationKey, 'id'>,
): Promise<number> => transaction.run(clearRoles, { configurationId });

const remove = prepare((sql, p: { configurationId: string }) =>
  sql.deleteFrom('sso_identities').where('configuration_id', '=', p.configurationId),
);

/** Deletes the identities of a configuration whose id is not used again. */
export const deleteIdentities = (
  transaction: Transaction,
  { id: configurationId }: ConfigurationKey,
): Promise<number> => transaction.run(remove, { configurationId });
