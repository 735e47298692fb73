import type { Generated } from 'kysely';

/** The tables of single sign-on. */
export interface SsoTables {
  sso_configurations: {
    id: string;
    organization_id: string;
    is_first: number;
    name: string;
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
    /** Null if it is not used. */
    workload_identity_since: string | null;
    created_at: string;
    updated_at: string;
  };
  /** The certificate that a configuration uses, and the next one. */
  sso_certificates: {
    id: string;
    organization_id: string;
    configuration_id: string;
    certificate: string;
    /** Sealed. */
    private_key: string;
    created_at: string;
    expires_at: string;
    /** Null until it is used. */
    used_since: string | null;
    /** Which notice about its expiry was sent. */
    noticed: Generated<string | null>;
  };
  former_sso_configurations: {
    organization_id: string;
    id: string;
    version: number;
    created_at: string;
  };
  sso_policies: {
    organization_id: string;
    /** Empty for the first configuration, which has a policy even before it is saved. */
    configuration_id: string;
    default_role: string;
    role_mappings: string;
    secret_expires_at: string | null;
    /** Which notice about the expiry of the secret was sent. */
    secret_noticed: Generated<string | null>;
    /** 0: never. */
    revalidate_minutes: number;
  };
  sso_domains: {
    domain: string;
    organization_id: string;
    /** Whose people sign in with addresses of the domain. */
    configuration_id: string;
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
    /** The role that the mappings of the configuration gave at the last sign-in; null if they gave none. */
    role: Generated<string | null>;
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
  /** The sessions at identity providers that sessions here were obtained with. */
  sso_sessions: {
    session_id: string;
    configuration_id: string;
    issuer: string;
    /** The claim `sub`, also where the identity is the `oid`. */
    subject: string;
    /** The claim `sid`; null if the provider sends none. */
    provider_session_id: string | null;
    created_at: string;
  };
  /** With which to check whether the person of a session may still sign in at the provider. */
  sso_refresh_tokens: {
    session_id: string;
    organization_id: string;
    configuration_id: string;
    /** The provider and the client that it was given to; it is sent nowhere else. */
    discovery_url: string;
    client_id: string;
    /** Sealed. */
    refresh_token: string;
    /** When the provider last confirmed the person. */
    checked_at: string;
    /** When to check next. */
    due_at: string;
    failing_since: string | null;
    /** The process that checks it, until a time after which another one may. */
    holder: string | null;
    held_until: string | null;
  };
  sso_tests: {
    id: string;
    organization_id: string;
    configuration_id: string;
    result: string | null;
    created_at: string;
  };
  sso_outcomes: {
    configuration_id: string;
    organization_id: string;
    succeeded_at: string | null;
    success: string | null;
    failed_at: string | null;
    failure: string | null;
    /** When the provider last ended sessions here, and in words which. */
    logged_out_at: Generated<string | null>;
    logged_out: Generated<string | null>;
    /** From the act at the provider until then, or at most that. */
    logged_out_seconds: Generated<number | null>;
  };
  sso_recovery_codes: { code_hash: string; organization_id: string; user_id: string; created_at: string };
}
