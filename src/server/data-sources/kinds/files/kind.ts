import { join } from 'node:path';
import { editFiles, manageFiles } from '#shared/data-sources/files.ts';
import { quoteName } from '#shared/sql/names.ts';
import type { FilesSource } from '../../../engine/duckdb/description.ts';
import { engine } from '../../../engine/duckdb/engine.ts';
import { sourceDirectory } from '../../tables/files.ts';
import type { SourceKind } from '../kind.ts';

/** Tables that people upload. */
export const filesKind: SourceKind = {
  manage: manageFiles,
  edit: editFiles,
  hasUploads: true,
  quoteName,
  readConnection: ({ connection }) => ({
    faults:
      connection === undefined
        ? []
        : [
            {
              pointer: '/connection',
              code: 'unknown',
              message: 'must be left out: a source of files has no connection',
            },
          ],
  }),
  describe: async (source, { directory }): Promise<FilesSource> => ({
    engine,
    tables: source.tables.map(({ name, file }) => ({
      name,
      file: join(sourceDirectory(directory, source.organizationId, source.id), file),
    })),
    deletedTables: source.deletedTables,
    ...(source.unavailableTables.length > 0 && { unavailableTables: source.unavailableTables }),
  }),
};
