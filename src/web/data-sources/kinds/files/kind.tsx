import { IconFileSpreadsheet } from '@tabler/icons-react';
import { manageFiles } from '#shared/data-sources/files.ts';
import type { SourceKind } from '../kind.ts';

/** Tables that people upload. */
export const sourceKind: SourceKind = {
  label: 'Files',
  description: 'CSV, TSV, JSON or Parquet that you upload as tables',
  icon: IconFileSpreadsheet,
  manage: manageFiles,
  hasUploads: true,
  createLabel: 'Create, then upload files',
  noTables: 'Drop a file above. Columns and their types are detected from its contents.',
  deletionNote: 'Until it is deleted permanently, its tables count toward the storage of the organization.',
  storedData: 'all tables that were uploaded to it',
  placeOf: () => 'Uploaded files',
};
