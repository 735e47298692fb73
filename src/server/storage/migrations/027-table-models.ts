import type { Migration } from './migration.ts';

/** What authors write about the tables of data sources. */
export const tableModels: Migration = ({ text }) => [
  `create table table_models (
    data_source_id ${text} not null references data_sources (id) on delete cascade,
    schema_name ${text} not null,
    table_name ${text} not null,
    version integer not null,
    content ${text} not null,
    updated_at ${text} not null,
    primary key (data_source_id, schema_name, table_name)
  )`,
];
