import type { ColumnType, Generated } from 'kysely';

/**
 * The schema, alike on both engines: ids and times as text (RFC 3339), JSON as text, booleans as 0 and 1. What a
 * column may leave empty is `null` here and absent outside of the stores.
 */
export interface Tables {
  schema_version: { id: number; version: number };
  instance: { key: number; id: string };
  set_up_links: { token_hash: string; expires_at: string };
  users: {
    id: string;
    email: string;
    /** The organization whose directory the account comes from; null: it signs in by itself. */
    organization_id: string | null;
    name: string;
    password_hash: string | null;
    is_operator: Generated<number>;
    /** Whether the directory confirms the address; always true for an account with no directory. */
    is_email_verified: Generated<number>;
    created_at: string;
    updated_at: string;
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
    /** Null in rows from before this was stored, if the audit log doesn't name the inviter either. */
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
    /** Sealed claims of a person who still has to confirm that the account of `user_id` is theirs. */
    claims: string | null;
    user_id: string | null;
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
    /** Who made the version in force. */
    updated_by: string;
    change: Generated<string>;
    restored_from: number | null;
    /** Of the request that made the version in force, to know it again. */
    save_hash: string | null;
    restricted: Generated<number>;
    deleted_at: string | null;
    deleted_by: string | null;
    /** Of the document that an import created it from; unique in the organization. */
    origin_id: string | null;
  };
  dashboard_versions: {
    record_id: string;
    version: number;
    user_id: string;
    at: string;
    change: string;
    restored_from: number | null;
    save_hash: string | null;
    /** What turns the version after it into this one. */
    delta: string | null;
    /** In some versions instead of the delta: all of it, so that no chain of deltas grows long. */
    content: string | null;
  };
  dashboard_editors: { dashboard_id: string; user_id: string; expires_at: string };
  dashboard_shares: { dashboard_id: string; user_id: string; access: string };
  /** What the index has to look at again: a row for each change, by when it was. */
  dashboard_queue: { id: string; dashboard_id: string };
  dashboard_entries: {
    /** Of 64 bits, which PostgreSQL gives as a text. */
    key: ColumnType<number | string, number, number>;
    dashboard_id: string;
    /** The organization, or the user that it belongs to alone. */
    scope: string;
    user_id: string;
    sort_name: string;
    updated_at: string;
    words_hash: string;
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
  };
  source_tables: {
    data_source_id: string;
    name: string;
    /** Under the directory of the data source. */
    file: string;
    columns: string;
    /** Of 64 bits, as `size_bytes`, which PostgreSQL gives as texts. */
    row_count: ColumnType<number | string, number, number>;
    size_bytes: ColumnType<number | string, number, number>;
    created_at: string;
  };
  reports: {
    id: string;
    organization_id: string;
    user_id: string;
    data_source_id: string;
    name: string;
    /** All that people edit of it. */
    content: string;
    version: number;
    created_at: string;
    updated_at: string;
    updated_by: string;
    change: string;
    restored_from: number | null;
    save_hash: string | null;
    deleted_at: string | null;
    deleted_by: string | null;
    /** Of the document that an import created it from; unique in the organization. */
    origin_id: string | null;
  };
  report_versions: Tables['dashboard_versions'];
  report_tombstones: { id: string; organization_id: string; name: string };
  idempotency_keys: {
    user_id: string;
    key_hash: string;
    /** Of the request's method, path and body. */
    fingerprint: string;
    etag: string | null;
    body: string;
    created_at: string;
  };
}
