import type { RoleMapping, SsoPolicy } from '#contract/sso/policy.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A policy without `requireSso`, which is stored with the organization. */
export type StoredSsoPolicy = Omit<SsoPolicy, 'requireSso'>;

const one = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('sso_policies')
    .select([
      'default_role as defaultRole',
      'role_mappings as roleMappings',
      'secret_expires_at as secretExpiresAt',
    ])
    .where('organization_id', '=', p.organizationId),
);

/** Returns the policy of an organization. If none is stored, everyone is a viewer. */
export async function getStoredSsoPolicy(reader: Reader, organizationId: string): Promise<StoredSsoPolicy> {
  const row = await reader.first(one, { organizationId });
  if (row === undefined) return { defaultRole: 'viewer', roleMappings: [] };
  return {
    // Sound because only `upsertSsoPolicy` writes these columns.
    defaultRole: row.defaultRole as SsoPolicy['defaultRole'],
    roleMappings: JSON.parse(row.roleMappings) as RoleMapping[],
    ...(row.secretExpiresAt !== null && { secretExpiresAt: row.secretExpiresAt }),
  };
}

const upsert = prepare(
  (
    sql,
    p: { organizationId: string; defaultRole: string; roleMappings: string; secretExpiresAt: string | null },
  ) => {
    const replaced = {
      default_role: p.defaultRole,
      role_mappings: p.roleMappings,
      secret_expires_at: p.secretExpiresAt,
    };
    return sql
      .insertInto('sso_policies')
      .values({ ...replaced, organization_id: p.organizationId })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(replaced));
  },
);

export const upsertSsoPolicy = (
  transaction: Transaction,
  organizationId: string,
  { defaultRole, roleMappings, secretExpiresAt }: StoredSsoPolicy,
): Promise<number> =>
  transaction.run(upsert, {
    organizationId,
    defaultRole,
    roleMappings: JSON.stringify(roleMappings.map(({ claim, value, role }) => ({ claim, value, role }))),
    secretExpiresAt: secretExpiresAt ?? null,
  });
