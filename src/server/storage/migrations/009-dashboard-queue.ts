import type { Migration } from './migration.ts';

/**
 * The queue of changes for the index, with a row per change: a change that is not committed yet must not rely on the
 * row of an earlier one, which the index may delete in the meantime.
 */
export const dashboardQueue: Migration = ({ text }) => [
  'alter table dashboard_queue rename to dashboard_queue_before',
  `create table dashboard_queue (id ${text} primary key, dashboard_id ${text} not null)`,
  'insert into dashboard_queue (id, dashboard_id) select dashboard_id, dashboard_id from dashboard_queue_before',
  'drop table dashboard_queue_before',
];
