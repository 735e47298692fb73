import type { ColumnType, Generated } from 'kysely';

/** The tables of the server itself: its schema, its jobs, its limits, and the log of what people did. */
export interface PlatformTables {
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
  audit_entries: {
    id: string;
    organization_id: string;
    at: string;
    action: string;
    actor_id: string | null;
    session_id: string | null;
    details: string;
    /** Its number in the chain of its organization; null until it is sealed. */
    sequence: Generated<number | null>;
    hash: Generated<string | null>;
    details_salt: Generated<string | null>;
    details_hash: Generated<string | null>;
  };
  access_entries: {
    id: string;
    organization_id: string;
    /** The first and the last time of what is counted. */
    at: string;
    last_at: string;
    action: string;
    /** Null for wall displays. */
    actor_id: string | null;
    token_id: string | null;
    /** The link of the wall display. */
    link_id: string | null;
    subject_id: string | null;
    count: number;
    /** What is counted in the same row; null for an entry of its own. */
    bucket: string | null;
    details: string;
    sequence: Generated<number | null>;
    hash: Generated<string | null>;
  };
  /** The newest entry of each chain, and the newest that was deleted from its start. */
  log_chains: {
    organization_id: string;
    log: string;
    sequence: number;
    hash: string;
    anchor_sequence: number;
    anchor_hash: string;
  };
  idempotency_keys: {
    user_id: string;
    key_hash: string;
    /** The hash of the request's method, path and body. */
    fingerprint: string;
    etag: string | null;
    body: string;
    created_at: string;
    /** When maintenance first found that it is older than a day; null before. */
    old_since: string | null;
  };
  /** Backups that are copying the files of tables. */
  file_leases: { id: string; expires_at: string };
}
