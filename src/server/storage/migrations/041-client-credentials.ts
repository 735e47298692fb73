import type { Migration } from './migration.ts';

/** Secrets and keys of clients of OAuth, the access tokens that they got, and the assertions that can't be used again. */
export const clientCredentials: Migration = ({ text }) => [
  `alter table tokens add column kind ${text} not null default 'bearer'`,
  `alter table tokens add column public_key ${text}`,
  `alter table tokens add column parent_id ${text} references tokens (id) on delete cascade`,
  'create index tokens_by_parent on tokens (parent_id, id)',
  `create table used_assertions (
    id ${text} primary key,
    expires_at ${text} not null
  )`,
  'create index used_assertions_by_expiry on used_assertions (expires_at)',
];
