import type { Migration } from './migration.ts';

/** The document that an import created a report from, so that its next import finds the report. */
export const reportOrigins: Migration = ({ text }) => [
  `alter table reports add column origin_id ${text}`,
  // Reports that were not imported are not in the index.
  `create unique index reports_by_origin on reports (organization_id, origin_id) where origin_id is not null`,
];
