import type { Tables } from '../tables.ts';

export type TableName = keyof Tables;

/** How rows of a table belong to an organization. */
export type Belonging =
  /** The column holds the ID of the organization. */
  | { readonly organization: string }
  /** A row belongs to what the row of `parent` belongs to, whose ID is in `column`. */
  | {
      readonly parent: TableName;
      readonly column: string;
      /** The column of the parent that `column` refers to; by default, `id`. */
      readonly parentColumn?: string;
      /** Applies only to rows in which this column is null. */
      readonly unless?: string;
    };

export interface TableBelonging {
  /** The primary key. */
  readonly key: readonly string[];
  /** One of these is enough; empty if the table belongs to the server. */
  readonly to: readonly Belonging[];
}

const ofOrganization = (...key: string[]): TableBelonging => ({
  key,
  to: [{ organization: 'organization_id' }],
});
const ofParent = (parent: TableName, column: string, ...key: string[]): TableBelonging => ({
  key,
  to: [{ parent, column }],
});
const ofServer = (...key: string[]): TableBelonging => ({ key, to: [] });

/**
 * Every table, with how its rows belong to an organization. An account belongs to the organization whose directory
 * manages it, or whose program it is; other accounts belong to people. Rows that refer to others come before them, so that
 * deleting in this order violates no reference.
 */
export const tableBelonging: { readonly [Table in TableName]: TableBelonging } = {
  // Logs.
  audit_entries: ofOrganization('id'),
  access_entries: ofOrganization('id'),
  log_chains: ofOrganization('organization_id', 'log'),

  // Webhooks.
  webhook_deliveries: ofParent('webhooks', 'webhook_id', 'id'),
  webhooks: ofOrganization('id'),

  // Dashboards. Those without an organization are personal, and belong to the account.
  proposed_versions: {
    key: [],
    to: [
      { parent: 'dashboards', column: 'dashboard_id' },
      { parent: 'reports', column: 'report_id' },
    ],
  },
  proposals: ofOrganization('id'),
  comment_mentions: ofParent('comments', 'comment_id', 'comment_id', 'user_id'),
  comments: ofParent('comment_threads', 'thread_id', 'id'),
  comment_threads: ofParent('dashboards', 'dashboard_id', 'id'),
  comment_counts: ofParent('dashboards', 'dashboard_id', 'dashboard_id'),
  display_links: ofOrganization('id'),
  dashboard_streams: ofParent('dashboards', 'dashboard_id', 'id'),
  dashboard_editors: ofParent('dashboards', 'dashboard_id', 'dashboard_id', 'user_id'),
  dashboard_stars: ofParent('dashboards', 'dashboard_id', 'user_id', 'dashboard_id'),
  dashboard_visits: ofParent('dashboards', 'dashboard_id', 'user_id', 'dashboard_id'),
  dashboard_queue: ofParent('dashboards', 'dashboard_id', 'id'),
  dashboard_images: ofOrganization('dashboard_id', 'hash'),
  dashboard_entries: ofParent('dashboards', 'dashboard_id', 'key'),
  dashboard_versions: ofParent('dashboards', 'record_id', 'record_id', 'version'),
  dashboards: {
    key: ['id'],
    to: [
      { organization: 'organization_id' },
      { parent: 'users', column: 'user_id', unless: 'organization_id' },
    ],
  },

  // Reports, data sources, files and folders.
  report_versions: ofParent('reports', 'record_id', 'record_id', 'version'),
  report_tombstones: ofOrganization('id'),
  reports: ofOrganization('id'),
  source_tables: ofParent('data_sources', 'data_source_id', 'data_source_id', 'name'),
  deleted_tables: ofParent('data_sources', 'data_source_id', 'id'),
  table_models: ofParent('data_sources', 'data_source_id', 'data_source_id', 'schema_name', 'table_name'),
  data_sources: ofOrganization('id'),
  uploads: ofOrganization('id'),
  image_uploaders: ofOrganization('organization_id', 'hash', 'user_id'),
  images: ofOrganization('organization_id', 'hash'),
  organization_logos: ofOrganization('organization_id'),
  shares: ofOrganization('record_id', 'grantee_kind', 'grantee_id'),
  folder_paths: ofParent('folders', 'folder_id', 'folder_id', 'ancestor_id'),
  folders: ofOrganization('id'),

  // Single sign-on and provisioning.
  scim_group_members: ofParent('scim_groups', 'group_id', 'group_id', 'user_id'),
  scim_groups: ofOrganization('id'),
  scim_users: ofOrganization('organization_id', 'user_id'),
  sso_refresh_tokens: {
    key: ['session_id'],
    to: [{ organization: 'organization_id' }, { parent: 'sessions', column: 'session_id' }],
  },
  sso_sessions: ofParent('sessions', 'session_id', 'session_id'),
  sso_id_tokens: ofParent('sessions', 'session_id', 'session_id'),
  sso_recovery_codes: ofOrganization('code_hash'),
  sso_outcomes: ofOrganization('configuration_id'),
  sso_tests: ofOrganization('id'),
  sso_attempts: ofOrganization('state_hash'),
  sso_migration_people: ofOrganization('organization_id', 'user_id'),
  sso_migrations: ofOrganization('organization_id'),
  sso_identities: ofOrganization('configuration_id', 'issuer', 'subject'),
  sso_domains: ofOrganization('domain'),
  sso_policies: ofOrganization('organization_id', 'configuration_id'),
  sso_certificates: ofOrganization('id'),
  former_sso_configurations: ofOrganization('organization_id'),
  sso_configurations: ofOrganization('id'),

  // Credentials and accounts.
  refresh_tokens: ofParent('tokens', 'grant_id', 'token_hash'),
  authorization_requests: ofParent('tokens', 'grant_id', 'id'),
  tokens: ofOrganization('id'),
  sessions: {
    key: ['id'],
    to: [{ organization: 'organization_id' }, { parent: 'users', column: 'user_id' }],
  },
  session_policies: ofOrganization('organization_id'),
  invitations: ofOrganization('id'),
  member_groups: ofOrganization('organization_id', 'user_id', 'group_id'),
  suspended_members: ofOrganization('organization_id', 'user_id'),
  members: ofOrganization('organization_id', 'user_id'),
  restore_links: ofOrganization('token_hash'),
  deleted_members: ofOrganization('organization_id', 'user_id'),
  authenticator_apps: ofParent('users', 'user_id', 'user_id'),
  recovery_codes: ofParent('users', 'user_id', 'code_hash'),
  pending_sign_ins: ofParent('users', 'user_id', 'token_hash'),
  passkeys: ofParent('users', 'user_id', 'id'),
  passkey_challenges: ofParent('users', 'user_id', 'token_hash'),
  password_resets: ofParent('users', 'user_id', 'token_hash'),
  idempotency_keys: ofParent('users', 'user_id', 'user_id', 'key_hash'),
  account_deletions: {
    key: ['user_id'],
    to: [{ organization: 'organization_id' }, { parent: 'users', column: 'user_id' }],
  },
  users: ofOrganization('id'),
  deleted_organizations: ofOrganization('organization_id'),
  organizations: { key: ['id'], to: [{ organization: 'id' }] },

  // Of the server. The keys of attempts, assertions and clients name no organization, and expire.
  schema_version: ofServer('id'),
  jobs: ofServer('name'),
  limited_attempts: ofServer('key'),
  instance: ofServer('key'),
  file_leases: ofServer('id'),
  set_up_links: ofServer('token_hash'),
  used_assertions: ofServer('id'),
  oauth_clients: ofServer('id'),
};

/** The names of all tables, in the order of `tableBelonging`. */
// Sound because the type of `tableBelonging` has no other members.
export const tableNames = Object.keys(tableBelonging) as TableName[];
