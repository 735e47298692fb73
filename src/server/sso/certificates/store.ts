import { exceptDeleted } from '../../organizations/deleted.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A certificate of a configuration. */
export interface StoredCertificate {
  readonly id: string;
  readonly organizationId: string;
  readonly configurationId: string;
  /** PEM. */
  readonly certificate: string;
  /** Sealed. */
  readonly privateKey: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedSince: string | null;
}

const insert = prepare((sql, p: StoredCertificate) =>
  sql.insertInto('sso_certificates').values({
    id: p.id,
    organization_id: p.organizationId,
    configuration_id: p.configurationId,
    certificate: p.certificate,
    private_key: p.privateKey,
    created_at: p.createdAt,
    expires_at: p.expiresAt,
    used_since: p.usedSince,
  }),
);

export const insertCertificate = (transaction: Transaction, stored: StoredCertificate): Promise<number> =>
  transaction.run(insert, stored);

const columns = [
  'id',
  'organization_id as organizationId',
  'configuration_id as configurationId',
  'certificate',
  'private_key as privateKey',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'used_since as usedSince',
] as const;

const ofConfiguration = prepare((sql, p: { configurationId: string }) =>
  sql
    .selectFrom('sso_certificates')
    .select(columns)
    .where('configuration_id', '=', p.configurationId)
    .orderBy('id'),
);

/** Returns the certificates of a configuration, the oldest first. */
export const selectCertificates = (reader: Reader, configurationId: string): Promise<StoredCertificate[]> =>
  reader.all(ofConfiguration, { configurationId });

const expiring = prepare((sql, p: { until: string }) =>
  sql
    .selectFrom('sso_certificates')
    .innerJoin('sso_configurations', 'sso_configurations.id', 'sso_certificates.configuration_id')
    .select([
      'sso_certificates.id',
      'sso_certificates.organization_id as organizationId',
      'configuration_id as configurationId',
    ])
    .where('used_since', 'is not', null)
    .where('expires_at', '<=', p.until)
    .where('sso_configurations.enabled', '=', 1)
    .where(exceptDeleted('sso_certificates.organization_id'))
    .orderBy('sso_certificates.id'),
);

/** Returns the certificates in use that expire by then, of directories that are on, without those of deleted organizations. */
export const selectExpiring = (
  reader: Reader,
  until: string,
): Promise<Pick<StoredCertificate, 'id' | 'organizationId' | 'configurationId'>[]> =>
  reader.all(expiring, { until });

const use = prepare((sql, p: { id: string; at: string }) =>
  sql.updateTable('sso_certificates').set({ used_since: p.at }).where('id', '=', p.id),
);

export const setUsed = (transaction: Transaction, used: { id: string; at: string }): Promise<number> =>
  transaction.run(use, used);

const remove = prepare((sql, p: { id: string }) => sql.deleteFrom('sso_certificates').where('id', '=', p.id));

export const removeCertificate = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const removeAll = prepare((sql, p: { configurationId: string }) =>
  sql.deleteFrom('sso_certificates').where('configuration_id', '=', p.configurationId),
);

/** Deletes the certificates of a configuration that was deleted or pointed elsewhere. */
export const removeCertificates = (transaction: Transaction, configurationId: string): Promise<number> =>
  transaction.run(removeAll, { configurationId });

const version = prepare((sql, p: { id: string }) =>
  sql
    .updateTable('sso_configurations')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', p.id),
);

/** Makes every process read the configuration again, and ends sign-ins that began with other credentials. */
export const incrementVersion = (transaction: Transaction, configurationId: string): Promise<number> =>
  transaction.run(version, { id: configurationId });

const keys = prepare((sql) =>
  sql
    .selectFrom('sso_certificates')
    .select(['id', 'organization_id as organizationId', 'private_key as privateKey'])
    .orderBy('id'),
);

/** Returns the sealed private key of every certificate. */
export const selectPrivateKeys = (
  reader: Reader,
): Promise<{ id: string; organizationId: string; privateKey: string }[]> => reader.all(keys, {});

const updateKey = prepare((sql, p: { id: string; before: string; privateKey: string }) =>
  sql
    .updateTable('sso_certificates')
    .set({ private_key: p.privateKey })
    .where('id', '=', p.id)
    .where('private_key', '=', p.before),
);

/** Replaces a sealed private key, unless it has changed since. */
export const updatePrivateKey = (
  transaction: Transaction,
  change: { id: string; before: string; privateKey: string },
): Promise<number> => transaction.run(updateKey, change);
