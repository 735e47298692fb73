import type { Migration } from './migration.ts';

/** Indexes for the trash of an organization and of a person, in the order of the list. */
export const dashboardTrash: Migration = () => [
  `create index dashboards_bin_of_organization on dashboards (organization_id, deleted_at, id)
    where deleted_at is not null`,
  `create index dashboards_bin_of_user on dashboards (user_id, deleted_at, id)
    where deleted_at is not null and organization_id is null`,
];
