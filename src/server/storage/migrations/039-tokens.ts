import type { Migration } from './migration.ts';

/** Tokens of people and of service accounts, which are users that belong to one organization. */
export const tokens: Migration = ({ text }) => [
  `create table tokens (
    id ${text} primary key,
    token_hash ${text} not null unique,
    user_id ${text} not null references users (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    name ${text} not null,
    scopes ${text} not null,
    created_at ${text} not null,
    created_by ${text} not null references users (id),
    expires_at ${text} not null,
    last_used_at ${text},
    last_used_address ${text}
  )`,
  'create index tokens_by_user on tokens (user_id, id)',
  'create index tokens_by_organization on tokens (organization_id, id)',
  'alter table users add column is_service_account integer not null default 0',
  `alter table users add column created_by ${text} references users (id)`,
  `alter table members add column directory_sign_in_at ${text}`,
  'alter table organizations add column personal_tokens integer not null default 1',
  'alter table organizations add column max_token_days integer not null default 365',
];
