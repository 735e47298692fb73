import type { Migration } from './migration.ts';

/**
 * The directory groups of members, which shares can name. Programs without this step wouldn't update them at sign-in, so that
 * people would keep access through groups that they left; they can't use the schema.
 */
export const memberGroups: Migration = ({ text }) => [
  `create table member_groups (
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null,
    group_id ${text} not null,
    primary key (organization_id, user_id, group_id)
  )`,
  'create index member_groups_by_group on member_groups (organization_id, group_id)',
];
