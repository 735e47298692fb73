import { randomUUID } from 'node:crypto';
import type { Migration } from './migration.ts';

/** The id that a database and its data directory share, and the responses to creates with an idempotency key. */
export const instanceAndIdempotency: Migration = ({ text }) => [
  `create table instance (
    key integer primary key,
    id ${text} not null
  )`,
  `insert into instance (key, id) values (1, '${randomUUID()}')`,
  `create table idempotency_keys (
    user_id ${text} not null,
    key_hash ${text} not null,
    fingerprint ${text} not null,
    etag ${text},
    body ${text} not null,
    created_at ${text} not null,
    primary key (user_id, key_hash)
  )`,
  'create index idempotency_keys_by_age on idempotency_keys (created_at)',
];
