import type { Migration } from './migration.ts';

/** Comments on dashboards, and whether a person gets emails about them. */
export const comments: Migration = ({ text }) => [
  `create table comment_threads (
    id ${text} primary key,
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    version integer not null,
    widget_id ${text},
    mark ${text},
    resolved_at ${text},
    resolved_by ${text}
  )`,
  'create index comment_threads_by_dashboard on comment_threads (dashboard_id, id)',
  `create table comments (
    id ${text} primary key,
    thread_id ${text} not null references comment_threads (id) on delete cascade,
    user_id ${text} not null references users (id),
    content ${text} not null,
    created_at ${text} not null,
    edited_at ${text},
    deleted_at ${text}
  )`,
  'create index comments_by_thread on comments (thread_id, id)',
  `create table comment_mentions (
    comment_id ${text} not null references comments (id) on delete cascade,
    user_id ${text} not null references users (id),
    primary key (comment_id, user_id)
  )`,
  // Locked by every change of a dashboard's comments, and read by everyone who has it open.
  `create table comment_counts (
    dashboard_id ${text} primary key references dashboards (id) on delete cascade,
    revision integer not null,
    open_count integer not null,
    comment_count integer not null
  )`,
  'alter table users add column comment_mails integer not null default 1',
];
