import { DashboardEdit } from '#contract/dashboards/dashboards.ts';
import { ReportEdit } from '#contract/reports/reports.ts';

/** Returns what a save sends of a dashboard that was read. */
export const dashboardEditOf = (read: object): object => partOf(read, DashboardEdit.properties);

/** Returns what a save sends of a report that was read. */
export const reportEditOf = (read: object): object => partOf(read, ReportEdit.properties);

const partOf = (record: object, members: object): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name in members));
