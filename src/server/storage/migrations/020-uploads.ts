import type { Migration } from './migration.ts';

/** Files that were uploaded, and aren't tables yet. */
export const uploads: Migration = ({ text }) => [
  `create table uploads (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    file ${text} not null,
    format ${text} not null,
    size_bytes bigint not null,
    created_at ${text} not null
  )`,
  'create index uploads_by_organization on uploads (organization_id)',
  'create index uploads_by_time on uploads (created_at)',
];
