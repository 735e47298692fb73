import type { Migration } from './migration.ts';

/** The hash chains of the audit log and the data-access log. */
export const logChains: Migration = ({ text }) => [
  'alter table audit_entries add column sequence integer',
  `alter table audit_entries add column hash ${text}`,
  `alter table audit_entries add column details_salt ${text}`,
  `alter table audit_entries add column details_hash ${text}`,
  'alter table access_entries add column sequence integer',
  `alter table access_entries add column hash ${text}`,
  'create index audit_entries_not_sealed on audit_entries (organization_id, id) where sequence is null',
  'create index access_entries_not_sealed on access_entries (organization_id, id) where sequence is null',
  'create unique index audit_entries_by_sequence on audit_entries (organization_id, sequence) where sequence is not null',
  'create unique index access_entries_by_sequence on access_entries (organization_id, sequence) where sequence is not null',
  'alter table webhook_deliveries add column position integer',
  `create table log_chains (
    organization_id ${text} not null references organizations (id) on delete cascade,
    log ${text} not null,
    sequence integer not null,
    hash ${text} not null,
    anchor_sequence integer not null,
    anchor_hash ${text} not null,
    primary key (organization_id, log)
  )`,
];
