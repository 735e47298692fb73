import type { Migration } from './migration.ts';

/**
 * What directories provision by SCIM: people, groups, and the members that they deactivated. Programs without this step would let those
 * sign in again; they can't use the schema.
 */
export const provisioning: Migration = ({ text }) => [
  `create table suspended_members (
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    role ${text} not null,
    created_at ${text} not null,
    suspended_at ${text} not null,
    primary key (organization_id, user_id)
  )`,
  `create table scim_users (
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    user_name ${text} not null,
    external_id ${text},
    active integer not null,
    attributes ${text} not null,
    version integer not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (organization_id, user_id)
  )`,
  'create unique index scim_users_by_name on scim_users (organization_id, user_name)',
  'create index scim_users_by_external_id on scim_users (organization_id, external_id)',
  `create table scim_groups (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    name ${text} not null,
    display_name ${text} not null,
    display_key ${text} not null,
    external_id ${text},
    version integer not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  'create unique index scim_groups_by_name on scim_groups (organization_id, name)',
  'create index scim_groups_by_display_name on scim_groups (organization_id, display_key)',
  `create table scim_group_members (
    group_id ${text} not null references scim_groups (id),
    user_id ${text} not null references users (id),
    primary key (group_id, user_id)
  )`,
  'create index scim_group_members_by_user on scim_group_members (user_id)',
];
