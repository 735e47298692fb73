import type { Migration } from './migration.ts';

/** Data sources, reports over them, and the versions of reports. */
export const reports: Migration = ({ text }) => [
  `create table data_sources (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    name ${text} not null,
    kind ${text} not null,
    connection ${text},
    password ${text},
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  'create index data_sources_by_organization on data_sources (organization_id, id)',
  `create table source_tables (
    data_source_id ${text} not null references data_sources (id) on delete cascade,
    name ${text} not null,
    file ${text} not null,
    columns ${text} not null,
    row_count bigint not null,
    size_bytes bigint not null,
    created_at ${text} not null,
    primary key (data_source_id, name)
  )`,
  `create table reports (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    data_source_id ${text} not null,
    name ${text} not null,
    content ${text} not null,
    version integer not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    updated_by ${text} not null,
    change ${text} not null,
    restored_from integer,
    save_hash ${text},
    deleted_at ${text},
    deleted_by ${text}
  )`,
  'create index reports_by_organization on reports (organization_id, id)',
  'create index reports_by_data_source on reports (data_source_id)',
  `create index reports_deleted on reports (deleted_at) where deleted_at is not null`,
  `create table report_versions (
    record_id ${text} not null references reports (id) on delete cascade,
    version integer not null,
    user_id ${text} not null,
    at ${text} not null,
    change ${text} not null,
    restored_from integer,
    save_hash ${text},
    delta ${text},
    content ${text},
    primary key (record_id, version)
  )`,
  // Dashboards can also be found by the names of their reports.
  `insert into dashboard_queue (id, dashboard_id)
    select 'reports:' || id, id from dashboards where deleted_at is null`,
  // What widgets show of a report that was deleted permanently.
  `create table report_tombstones (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    name ${text} not null
  )`,
];
