import type { Migration } from './migration.ts';

/** Indexes for the trash of dashboards and of reports, in the order of the list. */
export const trash: Migration = () => [
  'drop index dashboards_bin_of_organization',
  'drop index dashboards_bin_of_user',
  `create index dashboards_trash_of_organization on dashboards (organization_id, deleted_at, id)
    where deleted_at is not null`,
  `create index dashboards_trash_of_user on dashboards (user_id, deleted_at, id)
    where deleted_at is not null and organization_id is null`,
  `create index reports_trash_of_organization on reports (organization_id, deleted_at, id)
    where deleted_at is not null`,
];
