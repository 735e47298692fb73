import type { ColumnType, Generated } from 'kysely';

/**
 * The schema, which is the same on both engines: ids and times as text (RFC 3339), JSON as text, booleans as 0 and 1.
 * An empty column is `null` here, and absent outside of the stores.
 */
export interface Tables {
  schema_version: {
    id: number;
    version: number;
    /** The least version that a program must know to use this schema. */
    required_version: Generated<number>;
  };
  /** The periodic jobs of the server. Times are in milliseconds since 1970, by the clock of the database. */
  jobs: {
    name: string;
    /** The run that holds the job, by a random id; null if none does. */
    holder: string | null;
    held_until: ColumnType<number | string, number | undefined, number>;
    due_at: ColumnType<number | string, number | undefined, number>;
    succeeded_at: ColumnType<number | string | null, number | null | undefined, number | null>;
    duration_ms: ColumnType<number | string | null, number | null | undefined, number | null>;
    failure_count: Generated<number>;
    is_failing: Generated<number>;
  };
  /** Counts of attempts such as failed sign-ins, until a time in milliseconds since 1970. */
  limited_attempts: {
    key: string;
    count: number;
    expires_at: ColumnType<number | string, number, number>;
  };
  instance: { key: number; id: string };
  set_up_links: { token_hash: string; expires_at: string };
  users: {
    id: string;
    email: string;
    /** The organization whose directory manages the account; null if no directory does. */
    organization_id: string | null;
    name: string;
    password_hash: string | null;
    is_operator: Generated<number>;
    /** Whether the directory confirms the address; always true for an account without a directory. */
    is_email_verified: Generated<number>;
    created_at: string;
    updated_at: string;
    /** Whether the person gets emails about comments. */
    comment_mails: Generated<number>;
    /** When the operator disabled the account; null if it can sign in. */
    disabled_at: string | null;
  };
  sessions: {
    id: string;
    token_hash: string;
    user_id: string;
    organization_id: string | null;
    method: string;
    user_agent: string | null;
    address: string | null;
    created_at: string;
    last_used_at: string;
    expires_at: string;
    /** When the person last confirmed their identity: at sign-in, or since. */
    confirmed_at: string | null;
  };
  organizations: {
    id: string;
    name: string;
    require_sso: number;
    time_zone: string;
    week_start: string;
    /** As a BCP 47 language tag, or `auto` for that of each reader. */
    locale: string;
    currency: string;
    accent_color: string;
    /** A list of colors as JSON. */
    chart_colors: string;
    created_at: string;
    updated_at: string;
  };
  members: { organization_id: string; user_id: string; role: string; created_at: string };
  invitations: {
    id: string;
    organization_id: string;
    token_hash: string;
    email: string;
    role: string;
    created_at: string;
    expires_at: string;
    /** Null in older rows if the audit log doesn't name the inviter either. */
    invited_by: string | null;
  };
  password_resets: { token_hash: string; user_id: string; created_at: string; expires_at: string };
  sso_configurations: {
    organization_id: string;
    id: string;
    provider: string;
    client_id: string;
    tenant_id: string | null;
    discovery_url: string;
    discovery_url_derived: number;
    email_domains: string;
    enabled: number;
    client_secret: string | null;
    version: number;
    owner_approved: number;
    created_at: string;
    updated_at: string;
  };
  former_sso_configurations: {
    organization_id: string;
    id: string;
    version: number;
    created_at: string;
  };
  sso_policies: {
    organization_id: string;
    default_role: string;
    role_mappings: string;
    secret_expires_at: string | null;
  };
  sso_domains: {
    domain: string;
    organization_id: string;
    proven_by: string;
    proven_at: string;
    checked_at: string;
    missing_since: string | null;
  };
  sso_identities: {
    configuration_id: string;
    issuer: string;
    subject: string;
    organization_id: string;
    user_id: string;
    created_at: string;
    /** When a migration gave the identity the user of another one. */
    moved_at: string | null;
  };
  sso_migrations: { organization_id: string; by_address: number; accepted_at: string };
  sso_migration_people: {
    organization_id: string;
    user_id: string;
    email: string | null;
    subject: string | null;
  };
  sso_attempts: {
    state_hash: string;
    organization_id: string;
    configuration_id: string;
    configuration_version: number;
    browser_hash: string;
    nonce: string;
    code_verifier: string;
    return_to: string;
    test_id: string | null;
    expires_at: string;
    /** Sealed claims and ID token of a person who still has to confirm that the account of `user_id` is theirs. */
    claims: string | null;
    user_id: string | null;
  };
  sso_id_tokens: {
    session_id: string;
    /** Sealed. */
    id_token: string;
  };
  sso_tests: {
    id: string;
    organization_id: string;
    result: string | null;
    created_at: string;
  };
  sso_outcomes: {
    organization_id: string;
    succeeded_at: string | null;
    success: string | null;
    failed_at: string | null;
    failure: string | null;
  };
  sso_recovery_codes: { code_hash: string; organization_id: string; user_id: string; created_at: string };
  audit_entries: {
    id: string;
    organization_id: string;
    at: string;
    action: string;
    actor_id: string | null;
    session_id: string | null;
    details: string;
  };
  dashboards: {
    id: string;
    user_id: string;
    organization_id: string | null;
    name: string;
    description: string | null;
    widgets: string;
    version: number;
    created_at: string;
    updated_at: string;
    /** The user who saved the current version. */
    updated_by: string;
    change: Generated<string>;
    restored_from: number | null;
    /** The hash of the request that saved the current version, to recognize a repeated one. */
    save_hash: string | null;
    restricted: Generated<number>;
    deleted_at: string | null;
    deleted_by: string | null;
    /** The id of the document that an import created it from; unique in the organization. */
    origin_id: string | null;
    /** The folder that it is in; null if it is in none. */
    folder_id: string | null;
    /** The folder that it was moved to the trash with. */
    deleted_with: string | null;
  };
  dashboard_versions: {
    record_id: string;
    version: number;
    user_id: string;
    at: string;
    change: string;
    restored_from: number | null;
    save_hash: string | null;
    /** The delta that turns the next version into this one. */
    delta: string | null;
    /** In some versions, the complete content instead of the delta, so that chains of deltas stay short. */
    content: string | null;
  };
  comment_threads: {
    id: string;
    dashboard_id: string;
    version: number;
    widget_id: string | null;
    /** A `CommentMark` as JSON. */
    mark: string | null;
    resolved_at: string | null;
    resolved_by: string | null;
  };
  comments: {
    id: string;
    thread_id: string;
    user_id: string;
    content: string;
    created_at: string;
    edited_at: string | null;
    deleted_at: string | null;
  };
  comment_mentions: { comment_id: string; user_id: string };
  /** How many open threads and comments a dashboard has; the revision grows with each change. */
  comment_counts: { dashboard_id: string; revision: number; open_count: number; comment_count: number };
  /** The streams of events that are open, by which others see who has a dashboard open. */
  display_links: {
    id: string;
    token_hash: string;
    dashboard_id: string;
    organization_id: string;
    name: string;
    /** A query string. */
    filters: string;
    created_by: string;
    /** How the creator had signed in, a `SessionMethod`. */
    method: string;
    satisfies_sso: number;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
  };
  dashboard_streams: { id: string; dashboard_id: string; user_id: string; expires_at: string };
  dashboard_editors: { dashboard_id: string; user_id: string; expires_at: string };
  /** Folders of dashboards and reports. */
  folders: {
    id: string;
    organization_id: string;
    /** Null for a folder in no other. */
    parent_id: string | null;
    /** The owner, who also owns all folders within. */
    user_id: string;
    name: string;
    /** The member whose personal folder it is. */
    personal_user_id: string | null;
    restricted: Generated<number>;
    /** 1 if it or a folder around it is restricted. */
    restricted_path: Generated<number>;
    version: number;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    deleted_by: string | null;
    /** The outermost folder that was moved to the trash, which may be this one. */
    deleted_with: string | null;
  };
  /** Each folder, at distance 0, and the folders around it. */
  folder_paths: { folder_id: string; ancestor_id: string; distance: number };
  /** Access that a record grants to a member or a directory group, in addition to what roles grant. */
  shares: {
    record_id: string;
    grantee_kind: string;
    grantee_id: string;
    record_kind: string;
    organization_id: string;
    access: string;
  };
  /** The groups that a member's directory sent at the last sign-in through it. */
  member_groups: { organization_id: string; user_id: string; group_id: string };
  /** The queue of changes for the index: a row per change, in order of time. */
  dashboard_queue: { id: string; dashboard_id: string };
  dashboard_entries: {
    /** A 64-bit integer, which PostgreSQL returns as a text. */
    key: ColumnType<number | string, number, number>;
    dashboard_id: string;
    /** The organization, or the user who owns a personal dashboard. */
    scope: string;
    user_id: string;
    sort_name: string;
    updated_at: string;
    words_hash: string;
    /** Empty if it is in no folder. */
    folder_id: Generated<string>;
  };
  dashboard_stars: { user_id: string; dashboard_id: string; starred_at: string };
  dashboard_visits: { user_id: string; dashboard_id: string; visited_at: string };
  data_sources: {
    id: string;
    organization_id: string;
    name: string;
    kind: string;
    connection: string | null;
    /** Sealed. */
    password: string | null;
    created_at: string;
    updated_at: string;
    /** The user who owns it; null if nobody does, as for those that were created before data sources had owners. */
    user_id: string | null;
    restricted: Generated<number>;
    /** Null unless it is in the trash. */
    deleted_at: string | null;
    deleted_by: string | null;
  };
  /** Files that were uploaded, and aren't tables yet. */
  uploads: {
    id: string;
    organization_id: string;
    user_id: string;
    /** Relative to the directory of the organization's uploads. */
    file: string;
    format: string;
    size_bytes: ColumnType<number | string, number, number>;
    created_at: string;
  };
  source_tables: {
    data_source_id: string;
    name: string;
    /** Relative to the directory of the data source. */
    file: string;
    columns: string;
    /** A 64-bit integer, like `size_bytes`, which PostgreSQL returns as a text. */
    row_count: ColumnType<number | string, number, number>;
    size_bytes: ColumnType<number | string, number, number>;
    created_at: string;
    /** The checksum of the file, in hex; null in older rows until the file is checked. */
    sha256: string | null;
  };
  /** Uploaded tables in the trash. */
  deleted_tables: Tables['source_tables'] & { id: string; deleted_at: string; deleted_by: string };
  /** The descriptions of tables. That of a deleted one is empty, and keeps its version, so that versions never repeat. */
  table_models: {
    data_source_id: string;
    schema_name: string;
    table_name: string;
    version: number;
    content: string;
    updated_at: string;
  };
  /** The logo of an organization, with its file in Base64. */
  organization_logos: {
    organization_id: string;
    id: string;
    type: 'image/png' | 'image/jpeg' | 'image/webp';
    content: string;
    uploaded_at: string;
  };
  /** Uploaded images, each with its file in Base64. */
  images: {
    organization_id: string;
    hash: string;
    type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
    width: number;
    height: number;
    size_bytes: number;
    content: string;
    created_at: string;
  };
  /** Backups that are copying the files of tables. */
  file_leases: { id: string; expires_at: string };
  reports: {
    id: string;
    organization_id: string;
    user_id: string;
    data_source_id: string;
    name: string;
    /** The part of the report that people edit. */
    content: string;
    version: number;
    created_at: string;
    updated_at: string;
    updated_by: string;
    change: string;
    restored_from: number | null;
    save_hash: string | null;
    restricted: Generated<number>;
    deleted_at: string | null;
    deleted_by: string | null;
    /** The id of the document that an import created it from; unique in the organization. */
    origin_id: string | null;
    folder_id: string | null;
    deleted_with: string | null;
  };
  report_versions: Tables['dashboard_versions'];
  report_tombstones: { id: string; organization_id: string; name: string; restricted: Generated<number> };
  idempotency_keys: {
    user_id: string;
    key_hash: string;
    /** The hash of the request's method, path and body. */
    fingerprint: string;
    etag: string | null;
    body: string;
    created_at: string;
  };
}
