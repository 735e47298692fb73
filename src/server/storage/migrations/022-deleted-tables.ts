import type { Migration } from './migration.ts';

/** Uploaded tables in the trash. */
export const deletedTables: Migration = ({ text }) => [
  `create table deleted_tables (
    id ${text} primary key,
    data_source_id ${text} not null references data_sources (id) on delete cascade,
    name ${text} not null,
    file ${text} not null,
    columns ${text} not null,
    row_count bigint not null,
    size_bytes bigint not null,
    created_at ${text} not null,
    deleted_at ${text} not null,
    deleted_by ${text} not null
  )`,
  'create index deleted_tables_by_data_source on deleted_tables (data_source_id, name)',
  'create index deleted_tables_by_time on deleted_tables (deleted_at)',
];
