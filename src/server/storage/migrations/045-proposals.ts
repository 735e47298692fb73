import type { Migration } from './migration.ts';

/** What programs propose, and which versions of reports and dashboards were accepted from a proposal. */
export const proposals: Migration = ({ text }) => [
  `create table proposals (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id) on delete cascade,
    kind ${text} not null,
    record_id ${text} not null,
    base_version integer,
    name ${text} not null,
    content ${text} not null,
    summary ${text} not null,
    created_by ${text} not null references users (id),
    program ${text},
    addressee_id ${text} references users (id),
    status ${text} not null,
    decided_by ${text} references users (id),
    decided_at ${text},
    created_at ${text} not null,
    expires_at ${text} not null
  )`,
  'create index proposals_by_organization on proposals (organization_id, status, id)',
  'create index proposals_by_creator on proposals (created_by, organization_id)',
  'create index proposals_by_addressee on proposals (addressee_id, organization_id)',
  'create index proposals_by_expiry on proposals (expires_at)',
  `create table proposed_versions (
    dashboard_id ${text} references dashboards (id) on delete cascade,
    report_id ${text} references reports (id) on delete cascade,
    version integer not null,
    user_id ${text} not null references users (id),
    program ${text}
  )`,
  'create unique index proposed_versions_of_dashboards on proposed_versions (dashboard_id, version)',
  'create unique index proposed_versions_of_reports on proposed_versions (report_id, version)',
];
