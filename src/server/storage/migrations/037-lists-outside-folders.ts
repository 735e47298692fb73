import type { Migration } from './migration.ts';

/** Indexes for the lists of what is in no folder, which skip the many dashboards and reports in folders. */
export const listsOutsideFolders: Migration = () => [
  ...[
    'dashboard_entries_outside_by_name on dashboard_entries (scope, sort_name, dashboard_id)',
    'dashboard_entries_outside_by_update on dashboard_entries (scope, updated_at, dashboard_id)',
    'dashboard_entries_outside_by_id on dashboard_entries (scope, dashboard_id)',
  ].map((index) => `create index ${index} where folder_id = ''`),
  'create index reports_outside on reports (organization_id, id) where folder_id is null',
];
