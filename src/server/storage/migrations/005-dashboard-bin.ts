import type { Migration } from './migration.ts';

/** The bin of an organization, and that of a person, each in the order in which it is listed. */
export const dashboardBin: Migration = () => [
  `create index dashboards_bin_of_organization on dashboards (organization_id, deleted_at, id)
    where deleted_at is not null`,
  `create index dashboards_bin_of_user on dashboards (user_id, deleted_at, id)
    where deleted_at is not null and organization_id is null`,
];
