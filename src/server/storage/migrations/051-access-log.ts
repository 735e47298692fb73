import type { Migration } from './migration.ts';

/** Who has read what, and for how many days each organization keeps it. */
export const accessLog: Migration = ({ text }) => [
  `create table access_entries (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id) on delete cascade,
    at ${text} not null,
    last_at ${text} not null,
    action ${text} not null,
    actor_id ${text},
    token_id ${text},
    link_id ${text},
    subject_id ${text},
    count integer not null,
    bucket ${text} unique,
    details ${text} not null
  )`,
  'create index access_entries_by_time on access_entries (organization_id, at, id)',
  'create index access_entries_by_actor on access_entries (organization_id, actor_id, at, id)',
  'create index access_entries_by_action on access_entries (organization_id, action, at, id)',
  'create index access_entries_by_subject on access_entries (organization_id, subject_id, at, id)',
  'alter table organizations add column access_log_days integer not null default 90',
];
