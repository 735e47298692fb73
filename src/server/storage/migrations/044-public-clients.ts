import type { Migration } from './migration.ts';

/** Public clients that registered themselves, and what codes of authorization are bound to. */
export const publicClients: Migration = ({ text }) => [
  `create table oauth_clients (
    id ${text} primary key,
    name ${text} not null,
    redirect_uris ${text} not null,
    created_at ${text} not null
  )`,
  'create index oauth_clients_by_creation on oauth_clients (created_at)',
  `alter table authorization_requests add column redirect_uri ${text}`,
  `alter table authorization_requests add column code_challenge ${text}`,
];
