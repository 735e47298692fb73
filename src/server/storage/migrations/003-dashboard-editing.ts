import type { Migration } from './migration.ts';

/**
 * Versions of dashboards, their trash, and shares, which give access in addition to an organization's roles.
 *
 * The row of a dashboard is its current version. Earlier versions have a row in `dashboard_versions`, so that a
 * dashboard that never changes has no rows there.
 */
export const dashboardEditing: Migration = ({ text }) => [
  `alter table dashboards add column updated_by ${text}`,
  'update dashboards set updated_by = user_id',
  `alter table dashboards add column change ${text} not null default 'created'`,
  'alter table dashboards add column restored_from integer',
  `alter table dashboards add column save_hash ${text}`,
  'alter table dashboards add column restricted integer not null default 0',
  `alter table dashboards add column deleted_at ${text}`,
  `alter table dashboards add column deleted_by ${text}`,
  `create index dashboards_deleted on dashboards (deleted_at) where deleted_at is not null`,
  `create table dashboard_versions (
    record_id ${text} not null references dashboards (id) on delete cascade,
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
  `create table dashboard_shares (
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    user_id ${text} not null references users (id),
    access ${text} not null,
    primary key (dashboard_id, user_id)
  )`,
  'create index dashboard_shares_by_user on dashboard_shares (user_id)',
];
