/** The kinds of records that can be shared, with the table of each. */
export const recordTables = {
  dashboard: 'dashboards',
  report: 'reports',
  data_source: 'data_sources',
  folder: 'folders',
} as const;

export type SharedKind = keyof typeof recordTables;
