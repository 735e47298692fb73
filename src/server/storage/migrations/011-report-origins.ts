import type { Migration } from './migration.ts';

/** Which document an import created a report from, so that the next import of it finds the report. */
export const reportOrigins: Migration = ({ text }) => [
  `alter table reports add column origin_id ${text}`,
  // Those that were not imported cost it nothing.
  `create unique index reports_by_origin on reports (organization_id, origin_id) where origin_id is not null`,
];
