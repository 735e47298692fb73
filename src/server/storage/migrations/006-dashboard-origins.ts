import type { Migration } from './migration.ts';

/** The document that an import created a dashboard from, so that its next import finds the dashboard. */
export const dashboardOrigins: Migration = ({ text }) => [
  `alter table dashboards add column origin_id ${text}`,
  // Dashboards that were not imported are not in the index.
  `create unique index dashboards_by_origin on dashboards (organization_id, origin_id) where origin_id is not null`,
];
