import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A client secret whose expiry is stored, or a certificate, and what is known about its directory. */
export interface ExpiringSecret {
  readonly organizationId: string;
  /** Undefined for a secret. */
  readonly certificateId: string | undefined;
  /** Empty for the first directory. */
  readonly configurationId: string;
  readonly organizationName: string;
  /** Empty for the first directory. */
  readonly directoryName: string;
  readonly expiresAt: string | null;
  /** Which notice was sent before. */
  readonly noticed: string | null;
}

const expiring = prepare((sql) =>
  sql
    .selectFrom('sso_policies')
    .innerJoin('organizations', 'organizations.id', 'sso_policies.organization_id')
    .innerJoin('sso_configurations', (join) =>
      join
        .onRef('sso_configurations.organization_id', '=', 'sso_policies.organization_id')
        .on(({ or, and, eb, ref }) =>
          or([
            eb('sso_configurations.id', '=', ref('sso_policies.configuration_id')),
            and([eb('sso_policies.configuration_id', '=', ''), eb('sso_configurations.is_first', '=', 1)]),
          ]),
        ),
    )
    .select([
      'sso_policies.organization_id as organizationId',
      'sso_policies.configuration_id as configurationId',
      'organizations.name as organizationName',
      'sso_configurations.name as directoryName',
      'secret_expires_at as expiresAt',
      'secret_noticed as noticed',
    ])
    .where('secret_expires_at', 'is not', null)
    .where('sso_configurations.enabled', '=', 1)
    .where('sso_configurations.client_secret', 'is not', null)
    .where('sso_configurations.workload_identity_since', 'is', null)
    // A certificate takes its place.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sso_certificates')
            .select('sso_certificates.id')
            .whereRef('sso_certificates.configuration_id', '=', 'sso_configurations.id')
            .where('sso_certificates.used_since', 'is not', null),
        ),
      ),
    )
    .orderBy('sso_policies.organization_id')
    .orderBy('sso_policies.configuration_id'),
);

const certificates = prepare((sql) =>
  sql
    .selectFrom('sso_certificates')
    .innerJoin('organizations', 'organizations.id', 'sso_certificates.organization_id')
    .innerJoin('sso_configurations', 'sso_configurations.id', 'sso_certificates.configuration_id')
    .select([
      'sso_certificates.id as certificateId',
      'sso_certificates.organization_id as organizationId',
      'sso_configurations.id as id',
      'sso_configurations.is_first as isFirst',
      'organizations.name as organizationName',
      'sso_configurations.name as directoryName',
      'sso_certificates.expires_at as expiresAt',
      'sso_certificates.noticed as noticed',
    ])
    .where('used_since', 'is not', null)
    .where('sso_configurations.enabled', '=', 1)
    .where('sso_configurations.workload_identity_since', 'is', null)
    .orderBy('sso_certificates.id'),
);

/** Returns the client secrets in use whose expiry is stored, and the certificates in use. */
export async function selectExpiringSecrets(reader: Reader): Promise<ExpiringSecret[]> {
  const secrets = await reader.all(expiring, {});
  const used = await reader.all(certificates, {});
  return [
    ...secrets.map((secret) => ({ ...secret, certificateId: undefined })),
    ...used.map(({ id, isFirst, ...rest }) => ({ ...rest, configurationId: isFirst === 1 ? '' : id })),
  ];
}

interface Notice {
  readonly certificateId: string | undefined;
  readonly organizationId: string;
  readonly configurationId: string;
  readonly before: string | null;
  readonly noticed: string | null;
}

const replaceOfCertificate = prepare(
  (sql, p: { certificateId: string; before: string | undefined; noticed: string | null }) => {
    const certificate = sql
      .updateTable('sso_certificates')
      .set({ noticed: p.noticed })
      .where('id', '=', p.certificateId);
    return p.before === undefined
      ? certificate.where('noticed', 'is', null)
      : certificate.where('noticed', '=', p.before);
  },
);

type OfSecret = Omit<Notice, 'before' | 'certificateId'>;

const replace = prepare((sql, p: OfSecret & { before: string | undefined }) => {
  const policy = sql
    .updateTable('sso_policies')
    .set({ secret_noticed: p.noticed })
    .where('organization_id', '=', p.organizationId)
    .where('configuration_id', '=', p.configurationId);
  return p.before === undefined
    ? policy.where('secret_noticed', 'is', null)
    : policy.where('secret_noticed', '=', p.before);
});

/** Stores which notice is sent; returns false if another process has stored one since. */
export async function replaceNotice(
  transaction: Transaction,
  { certificateId, before, ...notice }: Notice,
): Promise<boolean> {
  const change = { before: before ?? undefined, noticed: notice.noticed };
  const count =
    certificateId === undefined
      ? await transaction.run(replace, { ...notice, ...change })
      : await transaction.run(replaceOfCertificate, { certificateId, ...change });
  return count === 1;
}
