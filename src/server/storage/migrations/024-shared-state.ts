import type { Migration } from './migration.ts';

/**
 * What the processes of one database share: which versions of the program can use its schema, which process runs a job,
 * and the attempts that are limited. Times are in milliseconds since 1970, those of jobs by the clock of the database.
 */
export const sharedState: Migration = ({ text }) => [
  'alter table schema_version add column required_version integer not null default 0',
  `create table jobs (
    name ${text} primary key,
    holder ${text},
    held_until bigint not null default 0,
    due_at bigint not null default 0,
    succeeded_at bigint,
    duration_ms bigint,
    failure_count integer not null default 0,
    is_failing integer not null default 0
  )`,
  `create table limited_attempts (
    key ${text} primary key,
    count integer not null,
    expires_at bigint not null
  )`,
  'create index limited_attempts_by_time on limited_attempts (expires_at)',
];
