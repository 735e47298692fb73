import type { Migration } from './migration.ts';

/**
 * Shares of dashboards, reports and data sources with members and directory groups, and the restriction of reports and data
 * sources. Programs without this step would show restricted reports to everyone, so they can't use the schema.
 */
export const shares: Migration = ({ text }) => [
  `create table shares (
    record_id ${text} not null,
    grantee_kind ${text} not null,
    grantee_id ${text} not null,
    record_kind ${text} not null,
    organization_id ${text} not null references organizations (id),
    access ${text} not null,
    primary key (record_id, grantee_kind, grantee_id)
  )`,
  `insert into shares (record_id, grantee_kind, grantee_id, record_kind, organization_id, access)
    select dashboards.id, 'user', dashboard_shares.user_id, 'dashboard', dashboards.organization_id, dashboard_shares.access
    from dashboard_shares
    join dashboards on dashboards.id = dashboard_shares.dashboard_id
    where dashboards.organization_id is not null`,
  'create index shares_by_grantee on shares (grantee_id, organization_id)',
  'drop table dashboard_shares',
  'alter table reports add column restricted integer not null default 0',
  // The name of a restricted report stays hidden after it was deleted permanently.
  'alter table report_tombstones add column restricted integer not null default 0',
  'alter table data_sources add column restricted integer not null default 0',
  `alter table data_sources add column user_id ${text}`,
];
