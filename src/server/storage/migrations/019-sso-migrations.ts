import type { Migration } from './migration.ts';

/** How people of a former identity provider keep their accounts when they sign in through another one. */
export const ssoMigrations: Migration = ({ text }) => [
  `alter table sso_identities add column moved_at ${text}`,
  `create table sso_migrations (
    organization_id ${text} primary key references organizations (id),
    by_address integer not null,
    accepted_at ${text} not null
  )`,
  `create table sso_migration_people (
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    email ${text},
    subject ${text},
    primary key (organization_id, user_id)
  )`,
];
