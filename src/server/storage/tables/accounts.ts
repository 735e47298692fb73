import type { Generated } from 'kysely';

/** The tables of people, their sessions, and the organizations that they are members of. */
export interface AccountTables {
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
    /** Whether it is a program of `organization_id` instead of a person. */
    is_service_account: Generated<number>;
    /** The person who created a service account; null for people. */
    created_by: Generated<string | null>;
    /** When the person deleted the account, whose row stays with a pseudonym; null if it exists. */
    deleted_at: Generated<string | null>;
  };
  /** Deleted accounts of which something still has to be deleted. */
  account_deletions: {
    user_id: string;
    /** The confirmed address, until it was removed from everything; null for an address that nobody confirmed. */
    email: string | null;
    /** The organization whose directory managed the account. */
    organization_id: string | null;
    deleted_at: string;
    /** When the person was first removed from everything. */
    forgotten_at: string | null;
  };
  tokens: {
    id: string;
    token_hash: string;
    user_id: string;
    organization_id: string;
    name: string;
    /** Separated by spaces. */
    scopes: string;
    created_at: string;
    created_by: string;
    expires_at: string;
    last_used_at: string | null;
    last_used_address: string | null;
    kind: Generated<string>;
    /** The JWK of a `client_key`. */
    public_key: string | null;
    /** The token by which an access token was got, and with which it ends. */
    parent_id: string | null;
    /** The only part of the server that the token is for; null if it is for all of it. */
    audience: string | null;
    /** The end of the token, and how many days before it people were notified; null if they were not. */
    noticed: string | null;
    /** When the database was restored, until an owner confirms the token; null if it isn't suspended. */
    suspended_at: string | null;
  };
  /** Assertions of clients that were accepted and have not expired. */
  used_assertions: {
    /** The SHA-256 of the client and the JWT ID. */
    id: string;
    expires_at: string;
  };
  /** What clients ask people for by the device flow (RFC 8628). */
  authorization_requests: {
    id: string;
    code_hash: string;
    user_code_hash: string | null;
    client_id: string;
    /** Separated by spaces. */
    scopes: string;
    /** That of the client. */
    address: string;
    created_at: string;
    expires_at: string;
    interval_seconds: number;
    last_polled_at: string | null;
    status: string;
    /** The authorization, once a person has approved. */
    grant_id: string | null;
    /** Of a code of authorization. */
    redirect_uri: string | null;
    code_challenge: string | null;
  };
  /** Public clients that registered themselves (RFC 7591). */
  oauth_clients: {
    id: string;
    name: string;
    /** Separated by spaces. */
    redirect_uris: string;
    created_at: string;
  };
  refresh_tokens: {
    token_hash: string;
    /** The authorization, a row of `tokens`. */
    grant_id: string;
    /** Not used, and empty: without it, replicas of an older version could not continue on the schema. */
    seed: string;
    used_at: string | null;
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
    /** The longest time for which it was not used, between two uses. */
    longest_pause_ms: Generated<number>;
    /** When the person last confirmed their identity: at sign-in, or since. */
    confirmed_at: string | null;
    /**
     * The IDs of the organizations whose audit log has its address, after a space each; null if nothing is to be recorded when it opens one.
     */
    opened_organizations: string | null;
  };
  /** Null means no limit. */
  session_policies: {
    organization_id: string;
    idle_minutes: number | null;
    absolute_hours: number | null;
    max_sessions: number | null;
    /** A JSON array of addresses and ranges; any address is allowed if it is empty. */
    addresses: string;
    /** Which members who sign in with a password need a second factor: `off`, `owners` or `everyone`. */
    second_factor: Generated<string>;
    /** Whether changes of single sign-on need a recent confirmation of identity. */
    confirm_sso_changes: Generated<number>;
  };
  /** Apps that show time-based codes (RFC 6238). */
  authenticator_apps: {
    user_id: string;
    /** Sealed; null until one of its codes was entered. */
    secret: string | null;
    created_at: string | null;
    /** The time step of the last code that was accepted, since each is accepted once. */
    last_step: number;
    /** The sealed secret that is being set up, to replace the other. */
    new_secret: string | null;
  };
  /** Codes that replace a second factor, each for one use. */
  recovery_codes: { code_hash: string; user_id: string; created_at: string };
  /** Sign-ins whose password was correct, and that wait for the second factor. */
  pending_sign_ins: { token_hash: string; user_id: string; attempts: number; expires_at: string };
  passkeys: {
    id: string;
    /** In base64url, like the other bytes. */
    credential_id: string;
    user_id: string;
    /** Random, and the same for all passkeys of the account. */
    user_handle: string;
    /** The RP ID: the host of the server's public URL when it was added. */
    host: string;
    /** In COSE (RFC 9052). */
    public_key: string;
    /** How often the authenticator has signed, as far as it says so; 0 if it doesn't count. */
    counter: number;
    /** A JSON array of how browsers reach the authenticator. */
    transports: string;
    name: string;
    created_at: string;
    last_used_at: string | null;
  };
  /** Challenges for passkeys to sign. */
  passkey_challenges: {
    token_hash: string;
    challenge: string;
    purpose: string;
    /** Null if the person is not known yet. */
    user_id: string | null;
    /** Of the passkey that is being added; null for other purposes. */
    user_handle: string | null;
    expires_at: string;
  };
  password_resets: { token_hash: string; user_id: string; created_at: string; expires_at: string };
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
    personal_tokens: Generated<number>;
    /** For how many days a token works, at most. */
    max_token_days: Generated<number>;
    /** For how many days the data-access log is kept. */
    access_log_days: Generated<number>;
    created_at: string;
    updated_at: string;
  };
  members: {
    organization_id: string;
    user_id: string;
    role: string;
    created_at: string;
    /** When the member last signed in through the directory; null if never, or if its configuration was disabled since. */
    directory_sign_in_at: Generated<string | null>;
    /** When the member last used the organization, accurate to an hour; null if never. */
    last_seen_at: Generated<string | null>;
    /** When the member got the role; null in older rows. */
    role_at: Generated<string | null>;
    /** The user who gave the role; null if a directory did, and in older rows. */
    role_by: Generated<string | null>;
  };
  /** Organizations that an owner deleted, until everything of them is. */
  deleted_organizations: {
    organization_id: string;
    deleted_at: string;
    /** Null if the operator did. */
    deleted_by: string | null;
    /** When their data is deleted. */
    ends_at: string;
    /** Whether owners were notified that this is in a week. */
    noticed: Generated<number>;
    /** 0 while the organization can be restored, 1 while its data is deleted, 2 once only the files of the database still have it. */
    purging: Generated<number>;
  };
  /** The members of deleted organizations, who have no row in `members` until they are restored. */
  deleted_members: {
    organization_id: string;
    user_id: string;
    role: string;
    created_at: string;
    directory_sign_in_at: Generated<string | null>;
    last_seen_at: string | null;
    role_at: string | null;
    role_by: string | null;
  };
  /** Links by which owners restore an organization without signing in, since its directory may be their only way to. */
  restore_links: { token_hash: string; organization_id: string; user_id: string };
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
  /** The groups that a member's directory sent at the last sign-in through it. */
  member_groups: { organization_id: string; user_id: string; group_id: string };
}
