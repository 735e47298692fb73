import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A stored configuration. */
export interface StoredSsoConfiguration {
  organizationId: string;
  id: string;
  provider: string;
  clientId: string;
  tenantId: string | undefined;
  discoveryUrl: string;
  /** Whether the server derived the discovery URL from the tenant. */
  isDiscoveryUrlDerived: boolean;
  emailDomains: string[];
  enabled: boolean;
  /** Sealed; undefined if there is none. */
  clientSecret: string | undefined;
  /** Incremented by every save, even after the configuration was deleted and created again. */
  version: number;
  /** Whether an owner approved its provider by saving it; only then can owners sign in through it. */
  ownerApproved: boolean;
  createdAt: string;
  updatedAt: string;
}

interface Row {
  organizationId: string;
  id: string;
  provider: string;
  clientId: string;
  tenantId: string | null;
  discoveryUrl: string;
  discoveryUrlDerived: number;
  emailDomains: string;
  enabled: number;
  clientSecret: string | null;
  version: number;
  ownerApproved: number;
  createdAt: string;
  updatedAt: string;
}

function toStored(row: Row): StoredSsoConfiguration {
  return {
    ...row,
    tenantId: row.tenantId ?? undefined,
    isDiscoveryUrlDerived: row.discoveryUrlDerived === 1,
    // Sound because only `upsertSsoConfiguration` writes the column.
    emailDomains: JSON.parse(row.emailDomains) as string[],
    enabled: row.enabled === 1,
    ownerApproved: row.ownerApproved === 1,
    clientSecret: row.clientSecret ?? undefined,
  };
}

const columns = [
  'organization_id as organizationId',
  'id',
  'provider',
  'client_id as clientId',
  'tenant_id as tenantId',
  'discovery_url as discoveryUrl',
  'discovery_url_derived as discoveryUrlDerived',
  'email_domains as emailDomains',
  'enabled',
  'client_secret as clientSecret',
  'version',
  'owner_approved as ownerApproved',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

const byOrganization = prepare((sql, p: { organizationId: string }) =>
  sql.selectFrom('sso_configurations').select(columns).where('organization_id', '=', p.organizationId),
);

/** Returns the configuration of an organization, or undefined if it has none. */
export async function findSsoConfiguration(
  reader: Reader,
  organizationId: string,
): Promise<StoredSsoConfiguration | undefined> {
  const row = await reader.first(byOrganization, { organizationId });
  return row && toStored(row);
}

const byId = prepare((sql, p: { id: string }) =>
  sql.selectFrom('sso_configurations').select(columns).where('id', '=', p.id),
);

/** Returns a configuration by its own id, which is in its redirect URI. */
export async function findSsoConfigurationById(
  reader: Reader,
  id: string,
): Promise<StoredSsoConfiguration | undefined> {
  const row = await reader.first(byId, { id });
  return row && toStored(row);
}

const upsert = prepare((sql, p: Row) => {
  const replaced = {
    provider: p.provider,
    client_id: p.clientId,
    tenant_id: p.tenantId,
    discovery_url: p.discoveryUrl,
    discovery_url_derived: p.discoveryUrlDerived,
    email_domains: p.emailDomains,
    enabled: p.enabled,
    client_secret: p.clientSecret,
    version: p.version,
    owner_approved: p.ownerApproved,
    updated_at: p.updatedAt,
  };
  return sql
    .insertInto('sso_configurations')
    .values({ ...replaced, organization_id: p.organizationId, id: p.id, created_at: p.createdAt })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(replaced));
});

/**
 * Inserts or replaces the configuration of an organization; the `id` and `createdAt` of an existing one stay the same.
 */
export const upsertSsoConfiguration = (
  transaction: Transaction,
  stored: StoredSsoConfiguration,
): Promise<number> =>
  transaction.run(upsert, {
    ...stored,
    tenantId: stored.tenantId ?? null,
    discoveryUrlDerived: stored.isDiscoveryUrlDerived ? 1 : 0,
    emailDomains: JSON.stringify(stored.emailDomains),
    enabled: stored.enabled ? 1 : 0,
    ownerApproved: stored.ownerApproved ? 1 : 0,
    clientSecret: stored.clientSecret ?? null,
  });

const remove = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_configurations').where('organization_id', '=', p.organizationId),
);

export const deleteSsoConfigurationRow = (
  transaction: Transaction,
  organizationId: string,
): Promise<number> => transaction.run(remove, { organizationId });

const enabled = prepare((sql, p: { limit: number }) =>
  sql
    .selectFrom('sso_configurations')
    .select('organization_id as organizationId')
    .where('enabled', '=', 1)
    .orderBy('organization_id')
    .limit(p.limit),
);

/** Returns the ids of up to `limit` organizations whose configuration is enabled. */
export async function selectEnabledOrganizations(reader: Reader, limit: number): Promise<string[]> {
  return (await reader.all(enabled, { limit })).map(({ organizationId }) => organizationId);
}

const withSecret = prepare((sql) =>
  sql
    .selectFrom('sso_configurations')
    .select(['organization_id as organizationId', 'client_secret as clientSecret'])
    .where('client_secret', 'is not', null)
    .orderBy('organization_id'),
);

/** Returns the sealed client secret of every organization that has one. */
export async function selectClientSecrets(
  reader: Reader,
): Promise<{ organizationId: string; clientSecret: string }[]> {
  const rows = await reader.all(withSecret, {});
  return rows.map(({ organizationId, clientSecret }) => ({
    organizationId,
    clientSecret: clientSecret ?? '',
  }));
}

const updateSecret = prepare((sql, p: { organizationId: string; clientSecret: string | null }) =>
  sql
    .updateTable('sso_configurations')
    .set({ client_secret: p.clientSecret })
    .where('organization_id', '=', p.organizationId),
);

export const updateClientSecret = (
  transaction: Transaction,
  organizationId: string,
  clientSecret: string | undefined,
): Promise<number> => transaction.run(updateSecret, { organizationId, clientSecret: clientSecret ?? null });
