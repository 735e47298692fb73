import { fullTextSchema } from '../full-text.ts';
import type { Migration } from './migration.ts';

/**
 * Indexes of dashboards by name, update and words, and the dashboards that people star and visit.
 *
 * The entries and the words are updated later: changed dashboards are in the queue, which is processed before a list is
 * read. So creating and saving write one additional row, not ten.
 */
export const dashboardListing: Migration = ({ text }, engine) => [
  `create table dashboard_queue (dashboard_id ${text} primary key)`,
  'insert into dashboard_queue (dashboard_id) select id from dashboards where deleted_at is null',
  `create table dashboard_entries (
    key ${engine === 'SQLite' ? 'integer' : 'bigint'} primary key,
    dashboard_id ${text} not null unique,
    scope ${text} not null,
    user_id ${text} not null,
    sort_name ${text} not null,
    updated_at ${text} not null,
    words_hash ${text} not null
  )`,
  'create index dashboard_entries_by_name on dashboard_entries (scope, sort_name, dashboard_id)',
  'create index dashboard_entries_by_update on dashboard_entries (scope, updated_at, dashboard_id)',
  'create index dashboard_entries_own_by_name on dashboard_entries (user_id, sort_name, dashboard_id)',
  'create index dashboard_entries_own_by_update on dashboard_entries (user_id, updated_at, dashboard_id)',
  ...fullTextSchema(engine),
  `create table dashboard_marks (
    user_id ${text} not null references users (id),
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    starred_at ${text},
    visited_at ${text},
    primary key (user_id, dashboard_id)
  )`,
  'create index dashboard_marks_by_dashboard on dashboard_marks (dashboard_id)',
  'create index dashboard_marks_starred on dashboard_marks (user_id, starred_at) where starred_at is not null',
  'create index dashboard_marks_visited on dashboard_marks (user_id, visited_at) where visited_at is not null',
];
