import type { Migration } from './migration.ts';

/**
 * Several identity providers of one organization: what belonged to the organization belongs to one of its configurations. Programs
 * without this step would take any of them for the only one; they can't use the schema.
 */
export const ssoConnections: Migration = ({ text }) => [
  `create table new_sso_configurations (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    is_first integer not null,
    name ${text} not null,
    provider ${text} not null,
    client_id ${text} not null,
    tenant_id ${text},
    discovery_url ${text} not null,
    discovery_url_derived integer not null,
    email_domains ${text} not null,
    enabled integer not null,
    client_secret ${text},
    version integer not null,
    owner_approved integer not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `insert into new_sso_configurations
    (id, organization_id, is_first, name, provider, client_id, tenant_id, discovery_url, discovery_url_derived, email_domains,
      enabled, client_secret, version, owner_approved, created_at, updated_at)
    select id, organization_id, 1, '', provider, client_id, tenant_id, discovery_url, discovery_url_derived, email_domains,
      enabled, client_secret, version, owner_approved, created_at, updated_at
    from sso_configurations`,
  // Before 046, sessions were not stored with their configuration.
  `insert into sso_sessions (session_id, configuration_id, issuer, subject, created_at)
    select sessions.id, sso_configurations.id, '', '', sessions.created_at
    from sessions
    join sso_configurations on sso_configurations.organization_id = sessions.organization_id
    where sessions.method = 'sso'
      and not exists (select 1 from sso_sessions where sso_sessions.session_id = sessions.id)`,
  `alter table sso_domains add column configuration_id ${text} not null default ''`,
  `update sso_domains set configuration_id = coalesce(
    (select id from sso_configurations where sso_configurations.organization_id = sso_domains.organization_id), '')`,
  `create table new_sso_outcomes (
    configuration_id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    succeeded_at ${text},
    success ${text},
    failed_at ${text},
    failure ${text},
    logged_out_at ${text},
    logged_out ${text}
  )`,
  `insert into new_sso_outcomes
    (configuration_id, organization_id, succeeded_at, success, failed_at, failure, logged_out_at, logged_out)
    select sso_configurations.id, sso_outcomes.organization_id, succeeded_at, success, failed_at, failure, logged_out_at, logged_out
    from sso_outcomes
    join sso_configurations on sso_configurations.organization_id = sso_outcomes.organization_id`,
  'drop table sso_outcomes',
  'alter table new_sso_outcomes rename to sso_outcomes',
  // The first configuration has a policy even before it is saved, and then has the empty id here.
  `create table new_sso_policies (
    organization_id ${text} not null references organizations (id),
    configuration_id ${text} not null,
    default_role ${text} not null,
    role_mappings ${text} not null,
    secret_expires_at ${text},
    primary key (organization_id, configuration_id)
  )`,
  `insert into new_sso_policies (organization_id, configuration_id, default_role, role_mappings, secret_expires_at)
    select organization_id, '', default_role, role_mappings, secret_expires_at from sso_policies`,
  'drop table sso_policies',
  'alter table new_sso_policies rename to sso_policies',
  'drop table sso_configurations',
  'alter table new_sso_configurations rename to sso_configurations',
  'create index sso_configurations_by_organization on sso_configurations (organization_id)',
  'create unique index sso_configurations_first on sso_configurations (organization_id) where is_first = 1',
  `alter table sso_tests add column configuration_id ${text} not null default ''`,
  // The role that the mappings of the configuration last gave.
  `alter table sso_identities add column role ${text}`,
];
