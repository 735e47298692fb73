/**
 * Everything that the data-access log of an organization records. Exports have an entry each; the others are counted, with one
 * entry for an hour.
 */
export const accessActions = [
  'dashboard.viewed',
  'dashboard.exported',
  'dashboards.exported',
  'report.run',
  'report.exported',
  'data_source.queried',
  'display.viewed',
  'audit_log.exported',
  'organization.exported',
] as const;
export type AccessAction = (typeof accessActions)[number];

/** For how many days an organization can keep its data-access log. */
export const minAccessLogDays = 7;
export const maxAccessLogDays = 3_650;
