import type { Migration } from './migration.ts';

/** The people who are editing a dashboard, with an expiry: in the database, so that all replicas report the same. */
export const dashboardEditors: Migration = ({ text }) => [
  `create table dashboard_editors (
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    user_id ${text} not null references users (id),
    expires_at ${text} not null,
    primary key (dashboard_id, user_id)
  )`,
];
