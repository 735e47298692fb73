import { sourceDirectory, temporaryDirectory } from '../../tables/files.ts';
import { join } from 'node:path';
import type { SourceKind } from '../kind.ts';

/** Tables that people upload. */
export const filesKind: SourceKind = {
  manage: 'data_source.manage_files',
  hasUploads: true,
  readConnection: (input) => ({
    connection: undefined,
    faults:
      input === undefined
        ? []
        : [{ pointer: '/connection', code: 'unknown', message: 'must be left out: files have none' }],
  }),
  describe: async (source, { directory }) => ({
    kind: 'files',
    tables: source.tables.map(({ name, file }) => ({
      name,
      file: join(sourceDirectory(directory, source.organizationId, source.id), file),
    })),
    tempDirectory: temporaryDirectory(directory, source.organizationId),
  }),
};
