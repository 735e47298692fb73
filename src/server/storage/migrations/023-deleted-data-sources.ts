import type { Migration } from './migration.ts';

/** Data sources in the trash. */
export const deletedDataSources: Migration = ({ text }) => [
  `alter table data_sources add column deleted_at ${text}`,
  `alter table data_sources add column deleted_by ${text}`,
  'create index data_sources_trash on data_sources (organization_id, deleted_at, id) where deleted_at is not null',
];
