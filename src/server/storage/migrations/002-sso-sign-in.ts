import type { Migration } from './migration.ts';

/** Signing in through an organization's directory, its policy, and the audit log. */
export const ssoSignIn: Migration = ({ text }) => [
  'alter table organizations add column require_sso integer not null default 0',
  'alter table sso_configurations add column version integer not null default 1',
  'alter table sso_configurations add column owner_approved integer not null default 0',
  `create table sso_policies (
    organization_id ${text} primary key references organizations (id),
    default_role ${text} not null,
    role_mappings ${text} not null,
    secret_expires_at ${text}
  )`,
  // Only verified domains have a row, so the key makes each of them unique.
  `create table sso_domains (
    domain ${text} primary key,
    organization_id ${text} not null references organizations (id),
    proven_by ${text} not null,
    proven_at ${text} not null,
    checked_at ${text} not null,
    missing_since ${text}
  )`,
  'create index sso_domains_by_organization on sso_domains (organization_id)',
  `create table sso_identities (
    configuration_id ${text} not null,
    issuer ${text} not null,
    subject ${text} not null,
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    created_at ${text} not null,
    primary key (configuration_id, issuer, subject)
  )`,
  'create index sso_identities_by_user on sso_identities (user_id)',
  `create table sso_attempts (
    state_hash ${text} primary key,
    organization_id ${text} not null references organizations (id),
    configuration_id ${text} not null,
    configuration_version integer not null,
    browser_hash ${text} not null,
    nonce ${text} not null,
    code_verifier ${text} not null,
    return_to ${text} not null,
    test_id ${text},
    expires_at ${text} not null
  )`,
  'create index sso_attempts_by_organization on sso_attempts (organization_id)',
  'create index sso_attempts_by_browser on sso_attempts (browser_hash)',
  `create table sso_tests (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    result ${text},
    created_at ${text} not null
  )`,
  `create table sso_outcomes (
    organization_id ${text} primary key references organizations (id),
    succeeded_at ${text},
    success ${text},
    failed_at ${text},
    failure ${text}
  )`,
  `create table sso_recovery_codes (
    code_hash ${text} primary key,
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    created_at ${text} not null
  )`,
  'create index sso_recovery_codes_by_organization on sso_recovery_codes (organization_id)',
  `create table audit_entries (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    at ${text} not null,
    action ${text} not null,
    actor_id ${text},
    session_id ${text},
    details ${text} not null
  )`,
  'create index audit_entries_by_organization on audit_entries (organization_id, id)',
];
