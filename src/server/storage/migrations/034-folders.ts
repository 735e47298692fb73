import type { Migration } from './migration.ts';

/**
 * Folders of dashboards and reports, and the folders around each folder. Programs without this step would show everyone what is in
 * restricted folders, so they can't use the schema.
 */
export const folders: Migration = ({ text }) => [
  `create table folders (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    parent_id ${text},
    user_id ${text} not null,
    name ${text} not null,
    personal_user_id ${text},
    restricted integer not null default 0,
    restricted_path integer not null default 0,
    version integer not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    deleted_at ${text},
    deleted_by ${text},
    deleted_with ${text}
  )`,
  'create index folders_by_organization on folders (organization_id, id)',
  'create unique index folders_personal on folders (organization_id, personal_user_id)',
  `create table folder_paths (
    folder_id ${text} not null references folders (id) on delete cascade,
    ancestor_id ${text} not null,
    distance integer not null,
    primary key (folder_id, ancestor_id)
  )`,
  'create index folder_paths_by_ancestor on folder_paths (ancestor_id, folder_id)',
  ...['dashboards', 'reports'].flatMap((table) => [
    `alter table ${table} add column folder_id ${text}`,
    `alter table ${table} add column deleted_with ${text}`,
    `create index ${table}_by_folder on ${table} (folder_id, id) where folder_id is not null`,
  ]),
  `alter table dashboard_entries add column folder_id ${text} not null default ''`,
];
