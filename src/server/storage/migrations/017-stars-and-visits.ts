import type { Migration } from './migration.ts';

/** Moves starred and visited dashboards, which shared a table, into two tables. */
export const starsAndVisits: Migration = ({ text }) => [
  `create table dashboard_stars (
    user_id ${text} not null references users (id),
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    starred_at ${text} not null,
    primary key (user_id, dashboard_id)
  )`,
  'create index dashboard_stars_by_dashboard on dashboard_stars (dashboard_id)',
  `insert into dashboard_stars (user_id, dashboard_id, starred_at)
    select user_id, dashboard_id, starred_at from dashboard_marks where starred_at is not null`,
  `create table dashboard_visits (
    user_id ${text} not null references users (id),
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    visited_at ${text} not null,
    primary key (user_id, dashboard_id)
  )`,
  'create index dashboard_visits_by_dashboard on dashboard_visits (dashboard_id)',
  'create index dashboard_visits_by_time on dashboard_visits (user_id, visited_at, dashboard_id)',
  `insert into dashboard_visits (user_id, dashboard_id, visited_at)
    select user_id, dashboard_id, visited_at from dashboard_marks where visited_at is not null`,
  'drop table dashboard_marks',
];
