import type { Migration } from './migration.ts';

/**
 * Organizations that their owners deleted, until their data is. Programs without this step would let people sign in to them, so
 * they can't use the schema.
 */
export const deletedOrganizations: Migration = ({ text }) => [
  `create table deleted_organizations (
    organization_id ${text} primary key references organizations (id),
    deleted_at ${text} not null,
    deleted_by ${text},
    ends_at ${text} not null,
    noticed integer not null default 0,
    purging integer not null default 0
  )`,
  `create table deleted_members (
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id) on delete cascade,
    role ${text} not null,
    created_at ${text} not null,
    last_seen_at ${text},
    role_at ${text},
    role_by ${text},
    primary key (organization_id, user_id)
  )`,
  'create index deleted_members_by_user on deleted_members (user_id)',
  `create table restore_links (
    token_hash ${text} primary key,
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id) on delete cascade
  )`,
  'create index restore_links_by_organization on restore_links (organization_id)',
  'create index restore_links_by_user on restore_links (user_id)',
];
