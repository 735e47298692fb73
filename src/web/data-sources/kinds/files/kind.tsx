import { IconFileSpreadsheet } from '@tabler/icons-react';
import { manageFiles } from '#shared/data-sources/files.ts';
import { t } from '#shared/language/messages.ts';
import type { SourceKind } from '../kind.ts';

/** Tables that people upload. */
export const sourceKind: SourceKind = {
  label: t('Files'),
  description: t('CSV, TSV, JSON or Parquet that you upload as tables'),
  icon: IconFileSpreadsheet,
  manage: manageFiles,
  hasUploads: true,
  createLabel: t('Create, then upload files'),
  noTables: t('Drop a file above. Columns and their types are detected from its contents.'),
  deletionNote: t(
    'Until it is deleted permanently, its tables count toward the storage of the organization.',
  ),
  storedData: t('all tables that were uploaded to it'),
  placeOf: () => t('Uploaded files'),
};
