import type { Migration } from './migration.ts';

/** What clients of OAuth ask people for, and the refresh tokens of what people have authorized. */
export const authorizations: Migration = ({ text }) => [
  `create table authorization_requests (
    id ${text} primary key,
    code_hash ${text} not null unique,
    user_code_hash ${text} unique,
    client_id ${text} not null,
    scopes ${text} not null,
    address ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    interval_seconds integer not null,
    last_polled_at ${text},
    status ${text} not null,
    grant_id ${text} references tokens (id) on delete cascade
  )`,
  'create index authorization_requests_by_expiry on authorization_requests (expires_at)',
  `create table refresh_tokens (
    token_hash ${text} primary key,
    grant_id ${text} not null references tokens (id) on delete cascade,
    seed ${text} not null,
    used_at ${text}
  )`,
  'create index refresh_tokens_by_grant on refresh_tokens (grant_id)',
];
