import type { TableName } from './belonging.ts';

/** What a restore does with the rows of a table, which may have been revoked, used or replaced since the backup. */
export type AfterRestore =
  /** The table holds nothing with which somebody gets access. */
  | 'nothing to do'
  /** They are deleted: people get new ones by signing in, or by asking again. */
  | 'end'
  /** They don't work until an owner confirms them. */
  | 'suspend'
  /** They come back as they were, for this reason. */
  | { readonly keep: string };

const none = 'nothing to do';

/**
 * Every table, with what a restore does with the credentials in it. A new table has to be listed, and one with a column that looks
 * like a credential has to say why it holds none.
 */
export const credentials: { readonly [Table in TableName]: AfterRestore } = {
  sessions: 'end',
  sso_id_tokens: 'end',
  sso_sessions: { keep: 'they end with the sessions that they belong to' },
  sso_attempts: 'end',
  sso_tests: none,
  sso_outcomes: none,
  pending_sign_ins: 'end',
  passkey_challenges: 'end',
  password_resets: 'end',
  restore_links: 'end',
  invitations: 'end',
  display_links: 'end',
  authorization_requests: 'end',

  tokens: 'suspend',
  refresh_tokens: { keep: 'they work only with an authorization, which is suspended' },
  webhooks: 'suspend',

  users: { keep: 'without passwords, nobody could sign in; the operator resets those that were changed' },
  authenticator_apps: { keep: 'without them, a password alone would be enough' },
  passkeys: { keep: 'people without a password could not sign in' },
  recovery_codes: { keep: 'they work only together with the password' },
  sso_recovery_codes: { keep: 'they are the last way in for owners if the identity provider fails' },
  sso_refresh_tokens: {
    keep: 'they give no access here; they check at the directory whether people still have some',
  },
  sso_configurations: { keep: 'their secrets authenticate this server at the identity provider' },
  sso_certificates: { keep: 'they authenticate this server at the identity provider' },
  data_sources: { keep: 'their passwords authenticate this server at the source' },
  used_assertions: { keep: 'they prevent that an assertion is used again' },
  oauth_clients: { keep: 'public clients have no secret; what they may do is in tokens' },
  set_up_links: { keep: 'it works only while there is no account' },
  idempotency_keys: { keep: 'a key is no secret, and works only with a credential of its person' },

  audit_entries: none,
  access_entries: none,
  log_chains: none,
  webhook_deliveries: none,
  proposed_versions: none,
  proposals: none,
  comment_mentions: none,
  comments: none,
  comment_threads: none,
  comment_counts: none,
  dashboard_streams: none,
  dashboard_editors: none,
  dashboard_stars: none,
  dashboard_visits: none,
  dashboard_queue: none,
  dashboard_entries: none,
  dashboard_versions: none,
  dashboards: none,
  report_versions: none,
  report_tombstones: none,
  reports: none,
  source_tables: none,
  deleted_tables: none,
  table_models: none,
  uploads: none,
  images: none,
  organization_logos: none,
  shares: none,
  folder_paths: none,
  folders: none,
  scim_group_members: none,
  scim_groups: none,
  scim_users: none,
  sso_migration_people: none,
  sso_migrations: none,
  sso_identities: none,
  sso_domains: none,
  sso_policies: none,
  former_sso_configurations: none,
  session_policies: none,
  member_groups: none,
  suspended_members: none,
  members: none,
  deleted_members: none,
  account_deletions: none,
  deleted_organizations: none,
  organizations: none,
  schema_version: none,
  jobs: none,
  limited_attempts: none,
  instance: none,
  file_leases: none,
  dashboard_images: none,
  image_uploaders: none,
};
