import type { Migration } from './migration.ts';

/**
 * What the index has to look at again, a row for each change: a change that is not committed yet must not count on the
 * row of one before it, which the index takes away meanwhile.
 */
export const dashboardQueue: Migration = ({ text }) => [
  'alter table dashboard_queue rename to dashboard_queue_before',
  `create table dashboard_queue (id ${text} primary key, dashboard_id ${text} not null)`,
  'insert into dashboard_queue (id, dashboard_id) select dashboard_id, dashboard_id from dashboard_queue_before',
  'drop table dashboard_queue_before',
];
