import type { Generated } from 'kysely';

/** The tables of webhooks. */
export interface WebhookTables {
  webhooks: {
    id: string;
    organization_id: string;
    url: string;
    /** A JSON list of the types of events that it is sent. */
    events: string;
    /** Sealed; null if it was discarded with a lost root key. */
    secret: string | null;
    previous_secret: string | null;
    previous_secret_ends_at: string | null;
    enabled: number;
    /** Why the server has disabled it; null if a person did, or it is enabled. */
    disabled_reason: string | null;
    /** The first failed attempt since the last success. */
    failing_since: string | null;
    /** The number of failed attempts since the last success. */
    failure_count: Generated<number>;
    created_at: string;
    updated_at: string;
  };
  webhook_deliveries: {
    id: string;
    webhook_id: string;
    event: string;
    body: string;
    /** Its place among the events of its type that are sent in order; null for others. */
    position: Generated<number | null>;
    created_at: string;
    status: string;
    attempt_count: Generated<number>;
    /** Null unless it is pending. */
    next_attempt_at: string | null;
    /** The attempt that is being made, by a random ID, and until when no other is begun. */
    holder: string | null;
    held_until: string | null;
    attempted_at: string | null;
    duration_ms: number | null;
    response_status: number | null;
    /** The start of the response. */
    response: string | null;
    error: string | null;
  };
}
