import type { Migration } from './migration.ts';

/** Webhooks of organizations, and what was or is to be sent to each. */
export const webhooks: Migration = ({ text }) => [
  `create table webhooks (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id) on delete cascade,
    url ${text} not null,
    events ${text} not null,
    secret ${text},
    previous_secret ${text},
    previous_secret_ends_at ${text},
    enabled integer not null,
    disabled_reason ${text},
    failing_since ${text},
    failure_count integer not null default 0,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  'create index webhooks_by_organization on webhooks (organization_id, id)',
  `create table webhook_deliveries (
    id ${text} primary key,
    webhook_id ${text} not null references webhooks (id) on delete cascade,
    event ${text} not null,
    body ${text} not null,
    created_at ${text} not null,
    status ${text} not null,
    attempt_count integer not null default 0,
    next_attempt_at ${text},
    holder ${text},
    held_until ${text},
    attempted_at ${text},
    duration_ms integer,
    response_status integer,
    response ${text},
    error ${text}
  )`,
  'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)',
  "create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending'",
];
