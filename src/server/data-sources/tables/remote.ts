import type { Settings } from '../../settings/settings.ts';
import type { Reader } from '../../storage/database.ts';
import type { S3Files } from './s3/s3-files.ts';

/** Returns undefined if uploaded tables are in the data directory: then the code for S3-compatible storage is not loaded. */
export async function openS3FilesIfWanted(reader: Reader, settings: Settings): Promise<S3Files | undefined> {
  const { tablesUrl } = settings;
  if (tablesUrl === undefined) return undefined;
  const { openS3Files } = await import('./s3/open.ts');
  return openS3Files(reader, { ...settings, tablesUrl });
}
