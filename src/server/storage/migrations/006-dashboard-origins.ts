import type { Migration } from './migration.ts';

/** Which document an import created a dashboard from, so that the next import of it finds the dashboard. */
export const dashboardOrigins: Migration = ({ text }) => [
  `alter table dashboards add column origin_id ${text}`,
  // Those that were not imported cost it nothing.
  `create unique index dashboards_by_origin on dashboards (organization_id, origin_id) where origin_id is not null`,
];
