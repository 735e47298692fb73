import type { Migration } from './migration.ts';

/** Backups that are copying the files of tables, and the checksums of these files. */
export const backups: Migration = ({ text }) => [
  `create table file_leases (
    id ${text} primary key,
    expires_at ${text} not null
  )`,
  `alter table source_tables add column sha256 ${text}`,
  `alter table deleted_tables add column sha256 ${text}`,
];
