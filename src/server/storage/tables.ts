/**
 * The schema, alike on both engines: ids and times as text (RFC 3339), JSON as text, booleans as 0 and 1. What a
 * column may leave empty is `null` here and absent outside of the stores.
 */
export interface Tables {
  schema_version: { id: number; version: number };
  set_up_links: { token_hash: string; expires_at: string };
  users: {
    id: string;
    email: string;
    name: string;
    password_hash: string | null;
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
  };
  organizations: { id: string; name: string; created_at: string; updated_at: string };
  members: { organization_id: string; user_id: string; role: string; created_at: string };
  invitations: {
    id: string;
    organization_id: string;
    token_hash: string;
    email: string;
    role: string;
    created_at: string;
    expires_at: string;
  };
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
    created_at: string;
    updated_at: string;
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
  };
}
