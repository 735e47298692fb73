import { notFound } from '../../base/errors.ts';
import { exceptDeleted } from '../../organizations/deleted.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

/** A directory as the API names it: by the organization and the ID of its configuration. */
export interface ConnectionKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Identifies one of the configurations of an organization. */
export interface ConfigurationKey extends ConnectionKey {
  /** Whether it is the one that the contract's operations read and write. */
  readonly isFirst: boolean;
}

/** A certificate and its sealed private key. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
  readonly expiresAt: string;
}

/** A stored configuration: how the people of one directory of an organization sign in. */
export interface StoredSsoConfiguration extends ConfigurationKey {
  /** What people call the directory; empty for the first one. */
  name: string;
  /** `idp_ad` for the first one. */
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
  /** The certificate in use, which takes precedence over the secret. Stored beside the configuration. */
  clientCertificate: ClientCertificate | undefined;
  /** Since when it uses the workload identity of this server, which takes precedence over both; undefined if it doesn't. */
  workloadIdentitySince: string | undefined;
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
  isFirst: number;
  name: string;
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
  workloadIdentitySince: string | null;
  createdAt: string;
  updatedAt: string;
}

function toStored({
  certificate,
  privateKey,
  certificateExpiresAt: expiresAt,
  ...row
}: FoundRow): StoredSsoConfiguration {
  return {
    ...row,
    clientCertificate:
      certificate === null || privateKey === null || expiresAt === null
        ? undefined
        : { certificate, privateKey, expiresAt },
    isFirst: row.isFirst === 1,
    tenantId: row.tenantId ?? undefined,
    isDiscoveryUrlDerived: row.discoveryUrlDerived === 1,
    // Sound because only `upsertSsoConfiguration` writes the column.
    emailDomains: JSON.parse(row.emailDomains) as string[],
    enabled: row.enabled === 1,
    ownerApproved: row.ownerApproved === 1,
    clientSecret: row.clientSecret ?? undefined,
    workloadIdentitySince: row.workloadIdentitySince ?? undefined,
  };
}

interface FoundRow extends Row {
  certificate: string | null;
  privateKey: string | null;
  certificateExpiresAt: string | null;
}

const columns = [
  'sso_configurations.organization_id as organizationId',
  'sso_configurations.id',
  'sso_configurations.is_first as isFirst',
  'sso_configurations.name',
  'sso_configurations.provider',
  'sso_configurations.client_id as clientId',
  'sso_configurations.tenant_id as tenantId',
  'sso_configurations.discovery_url as discoveryUrl',
  'sso_configurations.discovery_url_derived as discoveryUrlDerived',
  'sso_configurations.email_domains as emailDomains',
  'sso_configurations.enabled',
  'sso_configurations.client_secret as clientSecret',
  'sso_configurations.version',
  'sso_configurations.owner_approved as ownerApproved',
  'sso_configurations.workload_identity_since as workloadIdentitySince',
  'sso_configurations.created_at as createdAt',
  'sso_configurations.updated_at as updatedAt',
  'sso_certificates.certificate',
  'sso_certificates.private_key as privateKey',
  'sso_certificates.expires_at as certificateExpiresAt',
] as const;

/**
 * Returns the configurations, each with the certificate that it uses, if there is one. Those of deleted organizations don't exist,
 * so that nobody signs in through them.
 */
const configurations = (sql: Sql) =>
  sql
    .selectFrom('sso_configurations')
    .leftJoin('sso_certificates', (join) =>
      join
        .onRef('sso_certificates.configuration_id', '=', 'sso_configurations.id')
        .on('sso_certificates.used_since', 'is not', null),
    )
    .where(exceptDeleted('sso_configurations.organization_id'))
    .select(columns);

const first = prepare((sql, p: { organizationId: string }) =>
  configurations(sql)
    .where('sso_configurations.organization_id', '=', p.organizationId)
    .where('is_first', '=', 1),
);

/** Returns the configuration of the contract's operations, or undefined if an organization has none. */
export async function findFirstConfiguration(
  reader: Reader,
  organizationId: string,
): Promise<StoredSsoConfiguration | undefined> {
  const row = await reader.first(first, { organizationId });
  return row && toStored(row);
}

const ofOrganization = prepare((sql, p: { organizationId: string }) =>
  configurations(sql)
    .where('sso_configurations.organization_id', '=', p.organizationId)
    .orderBy('is_first', 'desc')
    .orderBy('sso_configurations.id'),
);

/** Returns every configuration of an organization, the first one first, then by age. */
export async function selectConfigurations(
  reader: Reader,
  organizationId: string,
): Promise<StoredSsoConfiguration[]> {
  return (await reader.all(ofOrganization, { organizationId })).map(toStored);
}

const byId = prepare((sql, p: { id: string }) =>
  configurations(sql).where('sso_configurations.id', '=', p.id),
);

/** Returns a configuration by its own id, which is in its redirect URI. */
export async function findSsoConfigurationById(
  reader: Reader,
  id: string,
): Promise<StoredSsoConfiguration | undefined> {
  const row = await reader.first(byId, { id });
  return row && toStored(row);
}

/** Returns a configuration of an organization: by its id, by default the first one. Throws `not_found`, also for another organization's. */
export async function getConfiguration(
  reader: Reader,
  organizationId: string,
  id?: string,
): Promise<StoredSsoConfiguration> {
  const stored =
    id === undefined
      ? await findFirstConfiguration(reader, organizationId)
      : await findSsoConfigurationById(reader, id);
  if (stored?.organizationId !== organizationId) throw notFound();
  return stored;
}

const upsert = prepare((sql, p: Row) => {
  const replaced = {
    name: p.name,
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
    workload_identity_since: p.workloadIdentitySince,
    updated_at: p.updatedAt,
  };
  return sql
    .insertInto('sso_configurations')
    .values({
      ...replaced,
      id: p.id,
      organization_id: p.organizationId,
      is_first: p.isFirst,
      created_at: p.createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(replaced));
});

/** Inserts or replaces a configuration; the `createdAt` of an existing one stays the same. */
export const upsertSsoConfiguration = (
  transaction: Transaction,
  { clientCertificate: _, ...stored }: StoredSsoConfiguration,
): Promise<number> =>
  transaction.run(upsert, {
    ...stored,
    isFirst: stored.isFirst ? 1 : 0,
    tenantId: stored.tenantId ?? null,
    discoveryUrlDerived: stored.isDiscoveryUrlDerived ? 1 : 0,
    emailDomains: JSON.stringify(stored.emailDomains),
    enabled: stored.enabled ? 1 : 0,
    ownerApproved: stored.ownerApproved ? 1 : 0,
    clientSecret: stored.clientSecret ?? null,
    workloadIdentitySince: stored.workloadIdentitySince ?? null,
  });

const remove = prepare((sql, p: { id: string }) =>
  sql.deleteFrom('sso_configurations').where('id', '=', p.id),
);

export const deleteSsoConfigurationRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const enabled = prepare((sql, p: { limit: number }) =>
  configurations(sql)
    .where('enabled', '=', 1)
    .orderBy('sso_configurations.organization_id')
    .orderBy('sso_configurations.id')
    .limit(p.limit),
);

/** Returns up to `limit` enabled configurations, by organization. */
export async function selectEnabledConfigurations(
  reader: Reader,
  limit: number,
): Promise<StoredSsoConfiguration[]> {
  return (await reader.all(enabled, { limit })).map(toStored);
}

const withSecret = prepare((sql) =>
  sql
    .selectFrom('sso_configurations')
    .select(['id', 'organization_id as organizationId', 'client_secret as clientSecret'])
    .where('client_secret', 'is not', null)
    .orderBy('organization_id')
    .orderBy('id'),
);

/** Returns the sealed client secret of every configuration that has one. */
export async function selectClientSecrets(
  reader: Reader,
): Promise<{ id: string; organizationId: string; clientSecret: string }[]> {
  const rows = await reader.all(withSecret, {});
  return rows.map(({ clientSecret, ...row }) => ({ ...row, clientSecret: clientSecret ?? '' }));
}

const updateSecret = prepare((sql, p: { id: string; clientSecret: string | null }) =>
  sql.updateTable('sso_configurations').set({ client_secret: p.clientSecret }).where('id', '=', p.id),
);

export const updateClientSecret = (
  transaction: Transaction,
  id: string,
  clientSecret: string | undefined,
): Promise<number> => transaction.run(updateSecret, { id, clientSecret: clientSecret ?? null });
