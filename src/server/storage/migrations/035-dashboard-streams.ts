import type { Migration } from './migration.ts';

/** The streams of events that people have open, by which others see who has a dashboard open. */
export const dashboardStreams: Migration = ({ text }) => [
  `create table dashboard_streams (
    id ${text} primary key,
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    user_id ${text} not null references users (id),
    expires_at ${text} not null
  )`,
  'create index dashboard_streams_by_dashboard on dashboard_streams (dashboard_id)',
];
