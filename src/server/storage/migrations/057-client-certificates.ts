import type { Migration } from './migration.ts';

/** Certificates with which this server proves to identity providers that it is their client, instead of a secret. */
export const clientCertificates: Migration = ({ text }) => [
  `create table sso_certificates (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    configuration_id ${text} not null,
    certificate ${text} not null,
    private_key ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    used_since ${text},
    noticed ${text}
  )`,
  'create index sso_certificates_by_configuration on sso_certificates (configuration_id)',
  'create unique index sso_certificates_used on sso_certificates (configuration_id) where used_since is not null',
];
