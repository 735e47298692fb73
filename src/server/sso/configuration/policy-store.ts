import type { RoleMapping, SsoPolicy } from '#contract/sso/policy.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import type { ConfigurationKey } from './store.ts';

/** A policy without `requireSso`, which is stored with the organization. */
export type StoredSsoPolicy = Omit<SsoPolicy, 'requireSso' | 'revalidateMinutes'> & {
  /** 0: never. */
  readonly revalidateMinutes: number;
};

/** Configurations from before these checks have 0, since a provider may refuse a sign-in that asks for a refresh token. */
const defaultRevalidateMinutes = 5;

/** The first configuration of an organization, which has a policy even before it is saved. */
export const firstOf = (organizationId: string): ConfigurationKey => ({
  organizationId,
  id: '',
  isFirst: true,
});

interface Key {
  readonly organizationId: string;
  readonly configurationId: string;
}

const keyOf = ({ organizationId, id, isFirst }: ConfigurationKey): Key => ({
  organizationId,
  configurationId: isFirst ? '' : id,
});

const one = prepare((sql, p: Key) =>
  sql
    .selectFrom('sso_policies')
    .select([
      'default_role as defaultRole',
      'role_mappings as roleMappings',
      'secret_expires_at as secretExpiresAt',
      'revalidate_minutes as revalidateMinutes',
    ])
    .where('organization_id', '=', p.organizationId)
    .where('configuration_id', '=', p.configurationId),
);

/** Returns the policy of a configuration. If none is stored, everyone is a viewer. */
export async function getStoredSsoPolicy(
  reader: Reader,
  configuration: ConfigurationKey,
): Promise<StoredSsoPolicy> {
  const row = await reader.first(one, keyOf(configuration));
  if (row === undefined)
    return { defaultRole: 'viewer', roleMappings: [], revalidateMinutes: defaultRevalidateMinutes };
  return {
    // Sound because only `upsertSsoPolicy` writes these columns.
    defaultRole: row.defaultRole as SsoPolicy['defaultRole'],
    roleMappings: JSON.parse(row.roleMappings) as RoleMapping[],
    revalidateMinutes: row.revalidateMinutes,
    ...(row.secretExpiresAt !== null && { secretExpiresAt: row.secretExpiresAt }),
  };
}

const upsert = prepare(
  (
    sql,
    p: Key & {
      defaultRole: string;
      roleMappings: string;
      secretExpiresAt: string | null;
      revalidateMinutes: number;
    },
  ) => {
    const replaced = {
      default_role: p.defaultRole,
      role_mappings: p.roleMappings,
      secret_expires_at: p.secretExpiresAt,
      revalidate_minutes: p.revalidateMinutes,
    };
    return sql
      .insertInto('sso_policies')
      .values({ ...replaced, organization_id: p.organizationId, configuration_id: p.configurationId })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'configuration_id']).doUpdateSet(replaced),
      );
  },
);

export const upsertSsoPolicy = (
  transaction: Transaction,
  configuration: ConfigurationKey,
  { defaultRole, roleMappings, secretExpiresAt, revalidateMinutes }: StoredSsoPolicy,
): Promise<number> =>
  transaction.run(upsert, {
    ...keyOf(configuration),
    defaultRole,
    roleMappings: JSON.stringify(roleMappings.map(({ claim, value, role }) => ({ claim, value, role }))),
    secretExpiresAt: secretExpiresAt ?? null,
    revalidateMinutes,
  });

const remove = prepare((sql, p: Key) =>
  sql
    .deleteFrom('sso_policies')
    .where('organization_id', '=', p.organizationId)
    .where('configuration_id', '=', p.configurationId),
);

export const deleteSsoPolicy = (transaction: Transaction, configuration: ConfigurationKey): Promise<number> =>
  transaction.run(remove, keyOf(configuration));
